import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventStream } from "#lib/http/streamed-answer";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["drop", "event: alive\ndata: {}\n\n"],
  ["wait", ": still here\n\n"],
] as const)("a quiet stream (%s) says every 15 s that it is there", async (whenSlow, alive) => {
  const leave = new AbortController();
  const request = new Request("http://localhost/api/v1/feed", { signal: leave.signal });
  const quiet = async function* (signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };
  const reader = eventStream(request, quiet, whenSlow).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("retry: 2000\n\n");
  for (let n = 0; n < 2; n += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await reader?.read())?.value).toBe(alive);
  }
  leave.abort();
  expect((await reader?.read())?.done).toBe(true);
});

test("frames that are there at once go out as one piece", async () => {
  const burst = async function* () {
    for (let n = 0; n < 3; n += 1) yield { event: "appended", data: { n } };
  };
  const reader = eventStream(new Request("http://localhost/api/v1/feed"), burst).body?.pipeThrough(new TextDecoderStream()).getReader();
  const frames = [0, 1, 2].map((n) => `event: appended\ndata: {"n":${n}}\n\n`).join("");
  expect((await reader?.read())?.value).toBe(`retry: 2000\n\n${frames}`);
  expect((await reader?.read())?.done).toBe(true);
});
