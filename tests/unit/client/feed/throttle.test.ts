import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttle } from "#lib/client/live-feed";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first call runs at once and a burst after it runs once more, at its end", () => {
  const run = vi.fn();
  const { call } = throttle(run, 500);
  for (let i = 0; i < 20; i++) call();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(499);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(2);
});

test("after cancel the call that waits is forgotten", () => {
  const run = vi.fn();
  const { call, cancel } = throttle(run, 500);
  call();
  call();
  cancel();
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(1);
});
