import { afterEach, expect, test, vi } from "vitest";
import { call } from "#lib/client/queries/api";
import { runCall } from "#lib/client/run-call";

afterEach(() => void vi.unstubAllGlobals());

const answering = (response: Response) => {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => response);
  vi.stubGlobal("fetch", fetched);
  return fetched;
};

test("an operation's parameters go into its path, and its query leaves out what is null", async () => {
  const fetched = answering(Response.json({ data: [], nextCursor: null }));
  const query = { from: null, limit: 20, state: ["failed", "pending"] };
  expect(await call("GET /api/v1/redeliveries/{id}/events", { id: "rdl 1/2", query })).toEqual({ data: [], nextCursor: null });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/redeliveries/rdl%201%2F2/events?limit=20&state=failed&state=pending");
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: "GET" });
});

test("an answer is checked against the schema of its operation and status", async () => {
  const operation = { id: "rel_1" };
  answering(Response.json(operation, { status: 202 }));
  const wrong = call("POST /api/v1/quarantine/releases 202", { body: { filter: {}, background: true } });
  await expect(wrong).rejects.toMatchObject({ code: "answer_malformed" });
  const counted = { dryRun: true, examined: 1, verifying: 1, stillQuarantined: 0, released: 0, repeated: 0, failed: 0, nextCursor: null };
  const fetched = answering(Response.json(counted));
  const page = await call("POST /api/v1/quarantine/releases 200", { body: { filter: {}, dryRun: true } });
  expect(page).toEqual(counted);
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/quarantine/releases");
  expect(fetched.mock.calls[0]?.[1].body).toBe('{"filter":{},"dryRun":true}');
});

test("an operation without an answer returns null", async () => {
  const fetched = answering(new Response(null, { status: 204 }));
  expect(await call("DELETE /api/v1/api-keys/{id}", { id: "key_1" })).toBeNull();
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: "DELETE", body: "{}" });
});

const CALL = { method: "GET", path: "/api/v1/events", headers: [], body: null };

test("a key is sent alone, without the session; without a key the session is", async () => {
  const asked = answering(new Response('{"a":1}', { status: 403 }));
  expect(await runCall(CALL, "sbx_1")).toMatchObject({ status: 403, ok: false, text: '{\n  "a": 1\n}', bytes: 7, cut: false });
  const init = asked.mock.calls[0]?.[1];
  expect([init?.credentials, new Headers(init?.headers).get("authorization")]).toEqual(["omit", "Bearer sbx_1"]);
  const again = answering(new Response("no JSON"));
  expect((await runCall(CALL, "")).text).toBe("no JSON");
  const own = again.mock.calls[0]?.[1];
  expect([own?.credentials, new Headers(own?.headers).has("authorization")]).toEqual(["same-origin", false]);
});

test("of an answer that never ends the beginning is shown, and the rest is cancelled", async () => {
  const cancelled = vi.fn();
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(60_000).fill(97)), cancel: cancelled });
  answering(new Response(endless));
  expect(await runCall(CALL, "")).toMatchObject({ cut: true, bytes: 120_000 });
  expect(cancelled).toHaveBeenCalled();
});
