import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { listEvents } from "#lib/events/event-store";
import { readVolume } from "#lib/events/volume-store";
import { countHours } from "#lib/flows/events/count-hours";
import { exportEvents } from "#lib/flows/events/export-events";
import { withUnknown } from "#lib/flows/events/unknown-in-filter";
import { readIssues } from "#lib/flows/issues/issues";
import { redeliverEvent } from "#lib/flows/processing/redeliver-events";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { listInPages } from "#tests/support/event-pages";
import { drainInbox, fileAll } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();
let workspaceId: WorkspaceId;
let source: string;

const DAY_S = 86_400;
const NOW_S = Math.floor(Date.now() / 1000);

/** Unix seconds: `days` before now. */
const ago = (days: number) => NOW_S - days * DAY_S;
const isoAgo = (days: number) => new Date(ago(days) * 1000).toISOString();

async function send(id: string, type: string, created: number, data: Record<string, unknown>): Promise<void> {
  expect((await receiver.send(source, signed(envelope({ id, type, created, data })))).status).toBe(200);
}

beforeAll(async () => {
  ({ workspaceId, source } = await makeWorkspace());
  // Received in the order of their names, and occurred in another.
  await send("evt_a", "document.processed", ago(3), { documentId: "doc_1", status: "completed" });
  await send("evt_b", "document.error", ago(1), { documentId: "doc_2", errorCode: "E_OCR", errorMessage: "The scan is blank" });
  await send("evt_c", "document.processed", ago(2), { strangeId: "doc_3" });
  await send("evt_d", "document.processed", ago(40), { strangeId: "doc_4" });
  await send("evt_e", "automation.error", ago(0), { automationId: "auto_1", errorCode: "E_STEP" });
  await drainInbox();
  await repair("evt_c");
  await fileAll();
});

/** Applies an event again once its ID can be read. */
async function repair(id: string): Promise<void> {
  const { FIELD_NAMES } = await import("#lib/platform/field-names");
  const names = FIELD_NAMES.documentId as unknown as string[];
  names.push("strangeId");
  await redeliverEvent(workspaceId, id, "ada@example.com");
  await drainInbox();
  names.pop();
}

const find = async (filter: EventFilter, order?: "occurred") =>
  (await listEvents(workspaceId, filter, { now: new Date(), limit: 50, ...(order && { order }) })).data
    .map(({ id }) => id.slice(4))
    .join("");

async function sumsOf(filter: EventFilter) {
  const { bars, total, by } = await readVolume(workspaceId, filter, new Date());
  const sum = (name: keyof Omit<(typeof bars)[number], "at">) => bars.reduce((all, bar) => all + bar[name], 0);
  const failures = { failed: sum("failed"), everFailed: sum("everFailed"), repaired: sum("repaired"), reported: sum("reported") };
  return { total, by, count: sum("count"), ...failures };
}

describe("events that failed", () => {
  it.each<[string, EventFilter, string]>([
    ["at some time, repaired or not", { everFailed: true }, "dc"],
    ["never", { everFailed: false }, "eba"],
    ["and were repaired", { repaired: true }, "c"],
    ["now", { state: ["failed"] }, "d"],
    ["on the platform", { reportsFailure: true }, "eb"],
    ["nowhere on the platform", { reportsFailure: false }, "dca"],
    ["anywhere", { anyFailure: true }, "edcb"],
    ["nowhere", { anyFailure: false }, "a"],
    ["anywhere, of one type", { anyFailure: true, type: ["document.processed"] }, "dc"],
    ["anywhere, with a word", { anyFailure: true, q: "blank" }, "b"],
    ["anywhere, within two days by the sender's clock", { anyFailure: true, occurredFrom: isoAgo(2), occurredTo: isoAgo(0) }, "cb"],
  ])("are found: %s", async (_, filter, ids) => {
    expect(await find(filter)).toBe(ids);
    expect((await readVolume(workspaceId, filter, new Date())).total).toBe(ids.length);
  });

  it("say why, also when they are repaired, and what the platform reports", async () => {
    const { data } = await listNamedEvents(workspaceId, { anyFailure: true }, { limit: 50, now: new Date() });
    const why = expect.stringMatching(/^document\.processed/);
    const reported = { state: "processed", everFailed: false, repaired: false, failedBecause: null, lastFailure: null };
    expect(data).toMatchObject([
      { id: "evt_e", ...reported, reportedMessage: "E_STEP" },
      { id: "evt_d", state: "failed", everFailed: true, repaired: false, failedBecause: why, lastFailure: why, reportedMessage: null },
      { id: "evt_c", state: "processed", everFailed: true, repaired: true, failedBecause: null, lastFailure: why, reportedMessage: null },
      { id: "evt_b", ...reported, reportedMessage: "The scan is blank" },
    ]);
  });

  it("say the same in an export", async () => {
    let text = "";
    for await (const piece of exportEvents(workspaceId, { anyFailure: true }, "ndjson", new Date())) text += piece;
    const lines = text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: "evt_e", repaired: false, reportedMessage: "E_STEP" },
      { id: "evt_d", repaired: false, reportedMessage: null },
      { id: "evt_c", repaired: true, reportedMessage: null },
      { id: "evt_b", repaired: false, reportedMessage: "The scan is blank" },
    ]);
  });

  it("stay in the chart and in their issue when they are repaired; those of the platform are a part of their own", async () => {
    const { total, by, ...sums } = await sumsOf({});
    expect({ total, by, ...sums }).toEqual({ total: 5, by: "received", count: 5, failed: 1, everFailed: 2, repaired: 1, reported: 2 });
    const { data } = await readIssues(workspaceId, { origin: "processing" }, { limit: 50 }, new Date());
    expect(data.map(({ count, failing, repaired }) => ({ count, failing, repaired }))).toEqual([{ count: 2, failing: 1, repaired: 1 }]);
    expect([data[0]?.lastDay.at(-1), data[0]?.lastDayRepaired.at(-1)]).toEqual([2, 1]);
    expect(data[0]?.lastDayFrom).toMatch(/T\d\d:00:00\.000Z$/);
  });
});

describe("the platform's failures in a chart", () => {
  it.each<[string, EventFilter, number]>([
    ["of all", { anyFailure: true }, 2],
    ["of one type", { type: ["document.error", "document.processed"] }, 1],
    ["by themselves", { reportsFailure: true }, 2],
    ["not where they are left out", { reportsFailure: false }, 0],
    ["not of other types", { type: ["document.processed"] }, 0],
    ["not of what failed here", { everFailed: true }, 0],
  ])("are counted: %s", async (_, filter, reported) => {
    expect(await sumsOf(filter)).toMatchObject({ reported });
  });
});

describe("the sender's time", () => {
  it("is the chart's, too, where the filter is by it", async () => {
    const filter = { occurredFrom: isoAgo(3.5), occurredTo: isoAgo(0.5) };
    const { bars, by, total, from } = await readVolume(workspaceId, filter, new Date());
    const dayOf = (at: string) => Math.round((NOW_S - Date.parse(at) / 1000) / DAY_S);
    const shown = bars.filter(({ count }) => count > 0).map(({ at, ...counted }) => ({ ...counted, day: dayOf(at) }));
    expect([by, total, from]).toEqual(["occurred", 3, filter.occurredFrom]);
    expect(shown).toMatchObject([
      { day: 3, count: 1, reported: 0, repaired: 0 },
      { day: 2, count: 1, reported: 0, repaired: 1 },
      { day: 1, count: 1, reported: 1, repaired: 0 },
    ]);
    expect(await sumsOf({ occurredFrom: isoAgo(60) })).toMatchObject({ by: "received", count: 5 });
  });

  it("filters from a moment on, and before one", async () => {
    expect(await find({ occurredFrom: isoAgo(2) })).toBe("ecb");
    expect(await find({ occurredTo: isoAgo(2) })).toBe("da");
    expect(await find({ occurredFrom: isoAgo(3), occurredTo: isoAgo(1) })).toBe("ca");
  });

  it("orders the list, page by page, of a search and of a narrow table too", async () => {
    expect(await find({ period: "24h" }, "occurred")).toBe("ebcad");
    for (const filter of [
      { period: "24h" },
      { anyFailure: true, period: "24h" },
      { q: "type:document.*", period: "24h" },
    ] as EventFilter[]) {
      const whole = await find(filter, "occurred");
      const pages = await listInPages(workspaceId, filter, 2, "occurred");
      expect(pages.map((id) => id.slice(4)).join("")).toBe(whole);
    }
    expect(await find({ q: "e_ocr", period: "24h" }, "occurred")).toBe("b");
  });

  it("orders no more than 31 days, and says so", async () => {
    const list = (filter: EventFilter) => listEvents(workspaceId, filter, { now: new Date(), limit: 50, order: "occurred" });
    await expect(list({})).rejects.toThrow(
      "order: the order by occurred needs a time range of at most 31 days. Set period, from or occurredFrom.",
    );
    await expect(list({ from: isoAgo(60) })).rejects.toThrow(/at most 31 days/);
    expect((await list({ from: isoAgo(60), to: isoAgo(30) })).data).toEqual([]);
    const first = await listEvents(workspaceId, { period: "24h" }, { now: new Date(), limit: 1, order: "occurred" });
    await expect(
      listEvents(workspaceId, { period: "24h" }, { now: new Date(), limit: 1, ...(first.nextCursor && { cursor: first.nextCursor }) }),
    ).rejects.toThrow(/cursor/);
  });
});

describe("what no event has", () => {
  const unknownOf = async (filter: EventFilter) => {
    const { unknown } = await listNamedEvents(workspaceId, filter, { limit: 50, now: new Date() });
    return unknown?.map(({ said, nearest, message }) => ({ said, nearest, message }));
  };

  it.each<[string, EventFilter, string | null, string]>([
    ["a field", { q: "data.statuss:completed" }, "data.status:completed", "No event has `data.statuss`"],
    ["a field without data.", { q: "statsu:completed" }, "data.status:completed", "No event has `data.statsu`"],
    ["a value", { q: "data.status:complted" }, "data.status:completed", "No event has `data.status:complted`"],
    ["a state", { q: "state:faild" }, "state:failed", "No state is named `faild`"],
    ["a filter's name", { q: "tpye:document.error" }, "type:document.error", "No event has `data.tpye`"],
    ["a type", { type: ["document.eror"] }, "document.error", "No event has the type `document.eror`"],
    ["a type as a term", { q: "type:document.eror" }, "type:document.error", "No event has the type `document.eror`"],
    ["something like nothing", { q: "data.zzzzzzzzzzzz:1" }, null, "No event has `data.zzzzzzzzzzzz`"],
  ])("is named with the nearest: %s", async (_, filter, nearest, words) => {
    const message = `${words}.${nearest === null ? "" : ` Did you mean \`${nearest}\`?`}`;
    expect(await unknownOf(filter)).toEqual([{ said: filter.q ?? filter.type?.[0], nearest, message }]);
  });

  it("names a source with the nearest, and nothing that some event has or may have", async () => {
    const [unknown] = (await unknownOf({ source: `${source}x` })) ?? [];
    expect(unknown?.nearest).toBe(source);
    for (const filter of [
      { q: "data.status:completed" },
      { type: ["task.created", "document.*"] },
      { q: "resource:doc_none" },
      { q: "words only" },
    ] as EventFilter[])
      expect([filter, await unknownOf(filter)]).toEqual([filter, undefined]);
    // There are such events, only not in that time.
    expect(await unknownOf({ q: "data.status:completed", to: "2020-01-01T00:00:00Z" })).toBeUndefined();
  });
});

it("other lists name a source and a type that there are none of, too, on their first page", async () => {
  const page = Promise.resolve({ data: [], nextCursor: null });
  const asked = { source: `${source}x`, type: ["document.eror", "document.error"] };
  expect((await withUnknown(workspaceId, asked, page)).unknown?.map(({ filter, nearest }) => [filter, nearest])).toEqual([
    ["type", "document.error"],
    ["source", source],
  ]);
  expect(await withUnknown(workspaceId, { ...asked, cursor: "next" }, page)).toEqual(await page);
  expect(await withUnknown(workspaceId, { source, type: ["document.*"] }, page)).toEqual(await page);
});

it("the platform's failures are counted by the hour as one by one, without those that failed here too", async () => {
  await send("evt_f", "document.error", ago(0), { strangeId: "doc_5", errorCode: "E_OCR" });
  await drainInbox();
  await countHours();
  const week: EventFilter = { period: "7d" };
  expect((await readVolume(workspaceId, week, new Date())).stepSeconds % 3600).toBe(0);
  expect(await sumsOf(week)).toMatchObject({ count: 6, failed: 2, reported: 2 });
  expect(await sumsOf({ ...week, ip: "0.0.0.0/0" })).toMatchObject({ count: 6, failed: 2, reported: 2 });
});
