import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadFeed, oneAtATime, throttle } from "#lib/client/live-feed";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const options = () => ({ scope: "a", from: "cursor_1", onFrame: vi.fn(), onStatus: vi.fn(), onRejected: vi.fn() });

test("code that fails to load is loaded again, and then the feed opens", async () => {
  const opened = { cursor: () => "cursor_2", close: vi.fn() };
  const openFeed = vi.fn(() => opened);
  const load = vi.fn(async () => openFeed).mockRejectedValueOnce(new Error("no such chunk"));
  const given = options();
  const feed = loadFeed(given, load);
  await vi.advanceTimersByTimeAsync(0);
  expect(given.onStatus).toHaveBeenLastCalledWith("reconnecting");
  expect(feed.cursor()).toBe("cursor_1");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(openFeed).toHaveBeenCalledExactlyOnceWith(given);
  expect(feed.cursor()).toBe("cursor_2");
  feed.close();
  expect(opened.close).toHaveBeenCalledOnce();
});

test("closed, it is not loaded again", async () => {
  const load = vi.fn(() => Promise.reject(new Error("no such chunk")));
  const feed = loadFeed(options(), load);
  await vi.advanceTimersByTimeAsync(0);
  feed.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledOnce();
});

test("closed while its code loads, it never opens", async () => {
  const openFeed = vi.fn();
  const feed = loadFeed(options(), async () => openFeed);
  feed.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(openFeed).not.toHaveBeenCalled();
});

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

/** Runs that end when they are told to. */
function runs() {
  const ends: (() => void)[] = [];
  const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { run, end };
}

test("calls during a run are followed by one more run, once it has ended", async () => {
  const { run, end } = runs();
  const call = oneAtATime(run);
  for (let i = 0; i < 5; i++) call();
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
});

test("a call after a run has ended runs at once", async () => {
  const { run, end } = runs();
  const call = oneAtATime(run);
  call();
  await end();
  call();
  expect(run).toHaveBeenCalledTimes(2);
});
