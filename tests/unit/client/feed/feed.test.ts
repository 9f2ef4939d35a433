import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openFeed } from "#lib/client/feed";
import { setOwnBuild } from "#lib/client/own-build";
import { eventSummary } from "#tests/support/event-summary";

class FakeSource {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readonly url: string;
  readyState = 1;
  onerror: (() => void) | null = null;
  private readonly listeners = new Map<string, (message: { data: string; lastEventId: string }) => void>();
  constructor(url: string) {
    this.url = url;
    FakeSource.all.push(this);
  }
  addEventListener(event: string, listener: (message: { data: string; lastEventId: string }) => void) {
    this.listeners.set(event, listener);
  }
  close() {
    this.readyState = 2;
  }
  send(event: string, data: unknown, lastEventId = "") {
    this.listeners.get(event)?.({ data: typeof data === "string" ? data : JSON.stringify(data), lastEventId });
  }
}

const EVENT = eventSummary();
const READY = { cursor: "c0", build: "own" };

const newest = () => FakeSource.all.at(-1) as FakeSource;

function watch(from: string | null = null) {
  const [onFrame, onStatus, onRejected] = [vi.fn(), vi.fn(), vi.fn()];
  const feed = openFeed({ from, onFrame, onStatus, onRejected });
  onTestFinished(feed.close);
  return { feed, onFrame, onStatus, onRejected };
}

beforeEach(() => {
  setOwnBuild("own");
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  FakeSource.all = [];
});
afterEach(() => {
  setOwnBuild("");
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("it is live once the server says ready; a line that breaks before the first event goes on from there, so that nothing falls between", () => {
  const { onStatus } = watch();
  expect(onStatus.mock.calls.flat()).toEqual(["connecting"]);
  newest().send("ready", READY);
  expect(onStatus).toHaveBeenLastCalledWith("live");
  newest().onerror?.();
  vi.advanceTimersByTime(1000);
  expect(newest().url).toBe("/api/v1/feed?from=c0");
});

test("after an event it goes on from that event", () => {
  const { feed } = watch("c0");
  newest().send("appended", EVENT, "c7");
  newest().send("applied", { at: "2026-01-01T00:00:02Z" }, "c7");
  expect(feed.cursor()).toBe("c7");
  newest().onerror?.();
  vi.advanceTimersByTime(1000);
  expect(newest().url).toBe("/api/v1/feed?from=c7");
});

test("a frame that is no JSON is dropped", () => {
  const { onFrame, feed } = watch();
  newest().send("ready", READY);
  newest().send("appended", "{not json", "c1");
  expect(onFrame).toHaveBeenCalledTimes(1);
  expect(feed.cursor()).toBe("c0");
});

test("a server of another build is begun with again, where it was, and its frames are checked: those that are not as agreed are dropped", async () => {
  vi.useRealTimers();
  const { onFrame, onStatus } = watch();
  newest().send("ready", { cursor: "c0", build: "newer" });
  expect(FakeSource.all[0]?.readyState).toBe(FakeSource.CLOSED);
  await vi.waitFor(() => expect(FakeSource.all.length).toBe(2), 20_000);
  expect(newest().url).toBe("/api/v1/feed?from=c0");
  newest().send("ready", { cursor: "c0", build: "newer" });
  expect(onStatus).toHaveBeenLastCalledWith("live");
  newest().send("appended", { ...EVENT, id: 5 }, "c1");
  newest().send("appended", EVENT, "c2");
  expect(onFrame.mock.calls.map(([frame]) => [frame.event, frame.id])).toEqual([
    ["ready", undefined],
    ["appended", "c2"],
  ]);
});

test("a server that keeps refusing is asked less and less often, and each refusal is told", () => {
  const { onRejected, onStatus } = watch();
  for (let i = 0; i < 8; i++) {
    newest().readyState = FakeSource.CLOSED;
    newest().onerror?.();
    vi.advanceTimersByTime(20_000);
  }
  expect(onRejected).toHaveBeenCalledTimes(8);
  expect(onStatus).toHaveBeenLastCalledWith("reconnecting");
  const before = FakeSource.all.length;
  newest().onerror?.();
  vi.advanceTimersByTime(19_999);
  expect(FakeSource.all.length).toBe(before);
});

test("a connection that is silent for 40 s is opened again; one that says that it is alive is left alone", () => {
  const { onStatus } = watch();
  newest().send("ready", READY);
  for (let seconds = 0; seconds < 120; seconds += 15) {
    vi.advanceTimersByTime(15_000);
    newest().send("alive", {});
  }
  expect(onStatus).toHaveBeenLastCalledWith("live");
  vi.advanceTimersByTime(40_000);
  expect(onStatus).toHaveBeenLastCalledWith("reconnecting");
  vi.advanceTimersByTime(1000);
  expect(newest().url).toBe("/api/v1/feed?from=c0");
  expect(FakeSource.all.map(({ readyState }) => readyState)).toEqual([2, 1]);
});

test("a closed feed stays closed", () => {
  const { feed } = watch();
  newest().onerror?.();
  feed.close();
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.all.length).toBe(1);
});
