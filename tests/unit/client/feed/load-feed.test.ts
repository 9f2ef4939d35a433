import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadFeed } from "#lib/client/live-feed";

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
