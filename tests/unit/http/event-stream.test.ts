import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventStream } from "#lib/http/event-stream";

beforeEach(() => void vi.useFakeTimers());
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
