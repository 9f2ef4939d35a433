import pg from "pg";
import { beforeAll, describe, expect, it, test, vi } from "vitest";
import { BACK_DATED_HEADERS } from "#lib/contracts/events/back-dated";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { listEvents } from "#lib/events/event-store";
import { readVolume } from "#lib/events/volume-store";
import { readDelay, readSources } from "#lib/flows/sources/read-sources";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { append } from "#tests/support/log-writer";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const EVENTS = atSize(60_000, 12_000);
const OLD = new Date(Date.now() - 20 * 86_400_000);

describe("beside a source with many events", () => {
  let workspaceId: Awaited<ReturnType<typeof makeWorkspace>>["workspaceId"];
  let sourceId: Awaited<ReturnType<typeof makeWorkspace>>["sourceId"];

  beforeAll(async () => {
    ({ workspaceId, sourceId } = await makeWorkspace());
    await prisma().source.createMany({ data: ["idle", "never"].map((name) => ({ id: `src_${name}`, workspaceId, name })) });
    await fillLog({ workspaceId, sourceId, events: EVENTS });
    const event = (n: number) => ({ eventId: `evt_idle_${n}`, type: "task.created", created: n, data: { taskId: "task" } });
    await append(workspaceId, "src_idle" as never, [event(1)], OLD);
    await append(workspaceId, "src_idle" as never, [event(2)], new Date(OLD.getTime() + 7000));
    await append(workspaceId, "src_idle" as never, [event(3)], new Date(OLD.getTime() - 60_000));
    await pool().query("ANALYZE");
  }, 120_000);

  /** Rows of the log that the statements of a call read, as the database counts them. */
  async function rowsRead(call: () => Promise<unknown>): Promise<number> {
    const spy = vi.spyOn(pg.Client.prototype, "query");
    await call();
    const statements = spy.mock.calls.flatMap(([text, values]) =>
      typeof text === "string" && /^\s*(SELECT|WITH)/.test(text) && Array.isArray(values) ? [{ text, values: values as unknown[] }] : [],
    );
    spy.mockRestore();
    let rows = 0;
    for (const { text, values } of statements) {
      const { rows: plans } = await pool().query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      for (const { Plan: plan } of plans[0]?.["QUERY PLAN"] ?? []) rows += rowsOf(plan);
    }
    return rows;
  }

  type Plan = {
    "Relation Name"?: string;
    "Actual Rows": number;
    "Actual Loops": number;
    "Rows Removed by Filter"?: number;
    Plans?: Plan[];
  };

  const rowsOf = (plan: Plan): number =>
    (plan["Relation Name"]?.startsWith("events")
      ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
      : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

  test("the list of sources tells when each last received an event, without reading the log for those that are idle", async () => {
    const sources = await readSources(workspaceId);
    const at = (id: string) => sources.find((source) => source.id === id)?.lastEventAt;
    expect(at("src_never")).toBeNull();
    expect(at("src_idle")).toBe(new Date(OLD.getTime() + 7000).toISOString());
    const [newest] = (await listEvents(workspaceId, {}, { now: new Date(), limit: 1 })).data;
    expect(at(sourceId)).toBe(newest?.receivedAt);
    expect(await rowsRead(() => readSources(workspaceId))).toBeLessThan(500);
  });

  test("the events of a source without any, and of one that is idle, are listed without reading the log from its end", async () => {
    expect((await listEvents(workspaceId, { source: "never" }, { now: new Date(), limit: 50 })).data).toEqual([]);
    expect((await listEvents(workspaceId, { source: "idle" }, { now: new Date(), limit: 2 })).data.map(({ id }) => id)).toEqual([
      "evt_idle_2",
      "evt_idle_1",
    ]);
    expect(await rowsRead(() => listEvents(workspaceId, { source: "never" }, { now: new Date(), limit: 50 }))).toBeLessThan(500);
    expect(await rowsRead(() => listEvents(workspaceId, { source: "idle" }, { now: new Date(), limit: 1 }))).toBeLessThan(500);
  });

  test("an event that comes later than ten seconds after the last one moves the source on, whoever stores it", async () => {
    const later = new Date(OLD.getTime() + 60_000);
    const event = { eventId: "evt_idle_4", type: "task.created", created: 4, data: { taskId: "task" } };
    await Promise.all([1, 2, 3].map(() => append(workspaceId, "src_idle" as never, [event], later)));
    expect((await readSources(workspaceId)).find(({ id }) => id === "src_idle")?.lastEventAt).toBe(later.toISOString());
  });

  const statements = async (call: () => Promise<unknown>): Promise<number> => {
    const spy = vi.spyOn(pg.Client.prototype, "query");
    try {
      await call();
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  };

  test("the volume of two thousand years is a few bars and a few statements, counted or estimated", async () => {
    const filter = { from: "0001-01-01T00:00:00Z", to: "9999-12-31T23:59:59Z", type: ["task.created"] };
    for (const limitMs of [5000, 1]) {
      const volume = await readVolume(workspaceId, filter, new Date(), { limitMs });
      expect(volume.precision).toBe(limitMs === 1 ? "estimate" : "exact");
      expect(volume.bars.length).toBeGreaterThan(10);
      expect(volume.bars.length).toBeLessThanOrEqual(62);
      expect(volume.total).toBeGreaterThan(EVENTS / 5 / 2);
      expect(volume.total).toBeLessThan((EVENTS / 5) * 2);
      expect(Date.parse(volume.from)).toBeGreaterThan(Date.now() - 40 * 86_400_000);
      expect(Date.parse(volume.to)).toBeLessThanOrEqual(Date.now());
      expect(await statements(() => readVolume(workspaceId, filter, new Date(), { limitMs }))).toBeLessThan(14);
    }
  });

  test("the volume of a period without a log is one empty bar", async () => {
    for (const filter of [
      { to: "0001-01-01T00:00:00Z" },
      { from: "0001-01-01T00:00:00Z", to: "1969-12-31T23:59:59Z" },
      { from: "9000-01-01T00:00:00Z" },
    ]) {
      const { bars, total } = await readVolume(workspaceId, filter, new Date());
      expect([bars.length, total]).toEqual([1, 0]);
    }
    const empty = await readVolume((await makeWorkspace()).workspaceId, { from: "0001-01-01T00:00:00Z" }, new Date());
    expect(empty.total).toBe(0);
    expect(empty.bars.length).toBeLessThanOrEqual(62);
  });
});

describe("the delay of a source's events", () => {
  it("is from `created` to the receipt, p50 and p95, for the range and for each bar", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const now = Math.floor(Date.now() / 1000);
    const delays = [2, 2, 2, 2, 2, 2, 2, 2, 2, 60];
    await append(
      workspaceId,
      sourceId,
      delays.map((delay, n) => ({ eventId: `e${n}`, type: "document.uploaded", created: now - delay, data: { documentId: "d" } })),
    );
    const read = await readDelay(workspaceId, sourceId, new Date(), "1h");
    expect(read).toMatchObject({ events: 10, complete: true, stepSeconds: 60 });
    expect(read?.bars).toHaveLength(60);
    expect(read?.p50Ms).toBeGreaterThanOrEqual(2000);
    expect(read?.p50Ms).toBeLessThan(10_000);
    expect(read?.p95Ms).toBeGreaterThanOrEqual(60_000);
    expect(read?.bars.filter(({ events }) => events > 0).map(({ p50Ms }) => (p50Ms ?? 0) >= 2000)).toContain(true);
  });

  it("leaves out the history that the sandbox makes up, and what was sent late or replayed", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const now = Math.floor(Date.now() / 1000);
    const event = (eventId: string, age: number) => ({ eventId, type: "document.uploaded", created: now - age, data: { documentId: "d" } });
    await append(workspaceId, sourceId, [event("now", 2)]);
    await append(workspaceId, sourceId, [
      { ...event("made_up", 3600), headers: BACK_DATED_HEADERS },
      event("replayed", 90_000),
      event("slow", 80_000),
    ]);
    expect(await readDelay(workspaceId, sourceId, new Date(), "1h")).toMatchObject({ events: 2, leftOut: 2, complete: true });
  });

  it("is nothing of a source that received nothing, and of another workspace's source not found", async () => {
    const [mine, other] = [await makeWorkspace(), await makeWorkspace()];
    expect(await readDelay(mine.workspaceId, mine.sourceId, new Date(), "24h")).toMatchObject({ events: 0, p50Ms: null, p95Ms: null });
    expect(await readDelay(mine.workspaceId, other.sourceId, new Date(), "24h")).toBeNull();
  });
});
