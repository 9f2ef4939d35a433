import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, type Mock, vi } from "vitest";
import { followChanges } from "#lib/client/other-tabs";
import { setOwnBuild } from "#lib/client/own-build";
import { KEYS } from "#lib/client/queries/keys";
import { createQueryClient } from "#lib/client/query-client";
import { openSharedFeed } from "#lib/client/shared-feed";
import type { FeedFrame } from "#lib/contracts/events/events";
import { eventSummary } from "#tests/support/event-summary";

// Over HTTP/1.1 a browser has six connections to a site: freenet/freenet-core#5213, Dictionarry-Hub/profilarr#434

/** The log of a server, and the feeds that browsers hold of it. Its end moves on with every transaction, also those without events. */
class FakeSource {
  static readonly CLOSED = 2;
  static log: { id: string; position: number }[] = [];
  static end = 1;
  static open = new Set<FakeSource>();
  readonly url: string;
  readyState = 1;
  onerror: (() => void) | null = null;
  private readonly listeners = new Map<string, (message: { data: string; lastEventId: string }) => void>();
  constructor(url: string) {
    this.url = url;
    FakeSource.open.add(this);
    queueMicrotask(() => this.begin());
  }
  addEventListener(event: string, listener: (message: { data: string; lastEventId: string }) => void) {
    this.listeners.set(event, listener);
  }
  close() {
    FakeSource.open.delete(this);
  }
  /** What came after the cursor that it names, and that this was all, as the server does. */
  private begin() {
    const from = new URL(this.url, "http://localhost").searchParams.get("from");
    if (from !== null) {
      this.send("ready", { build: "own", cursor: from, resumed: true });
      for (const event of FakeSource.log) if (event.position > Number(from.split("-")[0])) this.append(event);
    }
    FakeSource.end += 1;
    this.send("ready", { build: "own", cursor: `${FakeSource.end}-0` });
  }
  append = ({ id, position }: { id: string; position: number }) => this.send("appended", eventSummary({ id }), `${position}-1`);
  send(event: string, data: unknown, lastEventId = "") {
    if (FakeSource.open.has(this)) this.listeners.get(event)?.({ data: JSON.stringify(data), lastEventId });
  }
  reject() {
    this.readyState = FakeSource.CLOSED;
    this.onerror?.();
  }
}

const Channel = BroadcastChannel;

/** A browser whose tabs hear each other later than they wait for an answer: several lead for a while. */
class SlowChannel {
  private isOpen = true;
  private readonly channel: BroadcastChannel;
  constructor(name: string) {
    this.channel = new Channel(name);
  }
  set onmessage(hear: (message: { data: unknown }) => void) {
    this.channel.onmessage = ({ data }) => void setTimeout(() => this.isOpen && hear({ data }), 80);
  }
  postMessage = (message: unknown) => this.channel.postMessage(message);
  close = () => {
    this.isOpen = false;
    this.channel.close();
  };
}

function append(id: string) {
  FakeSource.end += 1;
  const event = { id, position: FakeSource.end };
  FakeSource.log.push(event);
  for (const source of [...FakeSource.open]) source.append(event);
}

type Tab = { ids: string[]; onRejected: Mock; status: () => unknown; cursor: () => string | null; close: () => void };
const opened = new Set<Tab>();

function openTab(scope = "wsp_1.ada@example.com", from: string | null = null): Tab {
  const ids: string[] = [];
  const [onStatus, onRejected] = [vi.fn(), vi.fn()];
  const onFrame = (frame: FeedFrame) => void (frame.event === "appended" && ids.push(frame.data.id));
  const feed = openSharedFeed({ scope, from, onStatus, onRejected, onFrame });
  const close = () => opened.delete(tab) && feed.close();
  const tab: Tab = { ids, onRejected, status: () => onStatus.mock.lastCall?.[0], cursor: feed.cursor, close };
  opened.add(tab);
  return tab;
}

async function openTabs(count: number) {
  const tabs = Array.from({ length: count }, () => openTab());
  await settle(tabs);
  return tabs;
}

/** A machine with much else to do takes its time. */
const eventually = (check: () => unknown) => vi.waitFor(check, 15_000);

const settle = (tabs: Tab[], feeds = 1) =>
  eventually(() => expect([FakeSource.open.size, ...tabs.map(({ status }) => status())]).toEqual([feeds, ...tabs.map(() => "live")]));

beforeEach(() => {
  setOwnBuild("own");
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("EventSource", FakeSource);
  FakeSource.log = [];
  FakeSource.end = 1;
});
afterEach(() => {
  for (const tab of opened) tab.close();
  setOwnBuild("");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("seven tabs hold one feed between them, and each gets every event once", async () => {
  const tabs = await openTabs(7);
  for (const id of ["evt_1", "evt_2", "evt_3"]) append(id);
  await eventually(() => expect(tabs.map(({ ids }) => ids)).toEqual(tabs.map(() => ["evt_1", "evt_2", "evt_3"])));
  expect(FakeSource.open.size).toBe(1);
});

it("when the tab that has the feed is closed, another goes on where it was: none misses an event or sees one twice", async () => {
  const [first] = await openTabs(1);
  const tabs = [openTab(), openTab(), openTab()];
  await settle(tabs);
  append("evt_1");
  await eventually(() => expect(tabs.every(({ ids }) => ids.length === 1)).toBe(true));
  first?.close();
  expect(FakeSource.open.size).toBe(0);
  append("evt_2");
  await settle(tabs);
  append("evt_3");
  await eventually(() => expect(tabs.map(({ ids }) => ids)).toEqual(tabs.map(() => ["evt_1", "evt_2", "evt_3"])));
});

it("tabs that lead at once after the leader is gone read the same: each shows it once", async () => {
  const [first] = await openTabs(1);
  const tabs = [openTab(), openTab(), openTab()];
  await settle(tabs);
  vi.spyOn(Math, "random").mockReturnValue(0);
  first?.close();
  append("evt_1");
  await settle(tabs);
  append("evt_2");
  await eventually(() => expect(tabs.every(({ ids }) => ids.includes("evt_2"))).toBe(true));
  expect(tabs.map(({ ids }) => ids)).toEqual(tabs.map(() => ["evt_1", "evt_2"]));
});

it("seven tabs of a slow browser that all lead at first hold one feed soon, though no event comes", async () => {
  vi.stubGlobal("BroadcastChannel", SlowChannel);
  const tabs = await openTabs(7);
  append("evt_1");
  await eventually(() => expect(tabs.map(({ ids }) => ids)).toEqual(tabs.map(() => ["evt_1"])));
});

it("a tab that comes back reads what it missed by a feed of its own, and then shares, though no event follows", async () => {
  const [tab] = await openTabs(1);
  for (const id of ["evt_1", "evt_2", "evt_3"]) append(id);
  await eventually(() => expect(tab?.ids).toEqual(["evt_1", "evt_2", "evt_3"]));
  tab?.close();
  const [newer] = await openTabs(1);
  const late = openTab(undefined, `${FakeSource.log[0]?.position}-1`);
  await eventually(() => expect(late.ids).toEqual(["evt_2", "evt_3"]));
  await eventually(() => expect(FakeSource.open.size).toBe(1));
  append("evt_4");
  await eventually(() => expect([late.ids, newer?.ids]).toEqual([["evt_2", "evt_3", "evt_4"], ["evt_4"]]));
});

it("tabs of another workspace or person share nothing", async () => {
  const [mine, other] = [openTab(), openTab("wsp_2.ada@example.com")];
  await settle([mine, other], 2);
});

it("when the session ends, every tab hears of it", async () => {
  const tabs = await openTabs(3);
  for (const source of [...FakeSource.open]) source.reject();
  await eventually(() => expect(tabs.map(({ onRejected }) => onRejected.mock.calls.length > 0)).toEqual([true, true, true]));
});

it("what one tab changes, another reads again at once, but not the list whose rows must not move", async () => {
  const [one, other] = [createQueryClient(), createQueryClient()];
  const stops = [one, other].map((queries) => followChanges("wsp_1.ada@example.com", queries));
  const [issue, list] = [vi.fn(async () => "open"), vi.fn(async () => [])];
  const watched = [
    new QueryObserver(other, { queryKey: [...KEYS.issue, "iss_1"], queryFn: issue }),
    new QueryObserver(other, { queryKey: KEYS.eventList, queryFn: list }),
  ].map((observer) => observer.subscribe(() => undefined));
  await eventually(() => expect([issue.mock.calls.length, list.mock.calls.length]).toEqual([1, 1]));
  await new MutationObserver(one, { mutationFn: async () => "acknowledged" }).mutate();
  await eventually(() => expect([issue.mock.calls.length, list.mock.calls.length]).toEqual([2, 1]));
  for (const stop of [...watched, ...stops]) stop();
});
