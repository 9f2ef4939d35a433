import { afterEach, expect, test, vi } from "vitest";
import { runCall } from "#lib/client/run-call";

const CALL = { method: "GET", path: "/api/v1/events", headers: [], body: null };

afterEach(() => vi.unstubAllGlobals());

function answerWith(response: Response) {
  const asked = vi.fn(async (_path: string, _init: RequestInit) => response);
  vi.stubGlobal("fetch", asked);
  return asked;
}

test("a key is sent alone, without the session; without a key the session is", async () => {
  const asked = answerWith(new Response('{"a":1}', { status: 403 }));
  expect(await runCall(CALL, "sbx_1")).toMatchObject({ status: 403, ok: false, text: '{\n  "a": 1\n}', bytes: 7, cut: false });
  const init = asked.mock.calls[0]?.[1];
  expect([init?.credentials, new Headers(init?.headers).get("authorization")]).toEqual(["omit", "Bearer sbx_1"]);
  const again = answerWith(new Response("no JSON"));
  expect((await runCall(CALL, "")).text).toBe("no JSON");
  const own = again.mock.calls[0]?.[1];
  expect([own?.credentials, new Headers(own?.headers).has("authorization")]).toEqual(["same-origin", false]);
});

test("of an answer that never ends the beginning is shown, and the rest is cancelled", async () => {
  const cancelled = vi.fn();
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(60_000).fill(97)), cancel: cancelled });
  answerWith(new Response(endless));
  expect(await runCall(CALL, "")).toMatchObject({ cut: true, bytes: 120_000 });
  expect(cancelled).toHaveBeenCalled();
});
