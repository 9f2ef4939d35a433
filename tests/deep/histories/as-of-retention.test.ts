import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { viewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { applyRetention } from "#lib/flows/events/retention";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readBoard, readBoardAsOf } from "#lib/flows/views/read-board";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { readView } from "#lib/flows/views/read-views";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { mulberry32 } from "#tests/chaos/driver";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { foldOf } from "#tests/support/fold-of";
import { append, drainInbox } from "#tests/support/log-writer";
import { daysToMonth, monthsAgo } from "#tests/support/months";
import { PLATFORM_KINDS, randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
import { forgetEvents, rebuild } from "#tests/support/rebuild";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const DAY_MS = 86_400_000;
const BEGIN = Math.floor(monthsAgo(3).getTime() / 1000) + 5 * 86_400;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const nothing = { missing: 0, surplus: 0, different: 0 };

beforeAll(async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 200)::date, 8)");
});

const keep = (workspaceId: WorkspaceId, days: number) =>
  pool().query("UPDATE workspaces SET retention_days = $2 WHERE id = $1", [workspaceId, days]);

/** Random events of three months ago, each received in one of four months: they leave the log in no order of their own. */
async function received(seed: number) {
  const made = await makeWorkspace();
  const random = mulberry32(seed);
  const events = randomEvents(400, seed).map((event) => ({ ...event, created: event.created - 1_790_000_000 + BEGIN }));
  const months = new Map<number, FoldableEvent[]>([0, 1, 2, 3].map((ago) => [ago, []]));
  for (const event of events) months.get([3, 3, 3, 2, 1, 0][Math.floor(random() * 6)] ?? 0)?.push(event);
  for (const [ago, part] of months) {
    const at = ago === 0 ? new Date() : new Date(monthsAgo(ago).getTime() + 10 * DAY_MS);
    await append(made.workspaceId, made.sourceId, shuffledWithRepeats(part, 0.3, seed), at);
  }
  await drainInbox(2);
  return { ...made, events };
}

async function countLog(workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM events WHERE workspace_id = $1", [workspaceId]);
  return rows[0]?.n ?? 0;
}

/** At most five, from all over. */
const sampleOf = <T>(items: T[]): T[] => items.filter((_, at) => at % Math.ceil(items.length / 5) === 0);

/** Compares records of all kinds, as of moments from all over, with the fold of all that ever came. @returns how many were whole, and how many said that they are not */
async function compare(workspaceId: WorkspaceId, events: FoldableEvent[]) {
  const seen = { whole: 0, partial: 0, none: 0, kinds: new Set<string>() };
  const times = [...new Set(events.map(({ created }) => created))];
  const folds = new Map(times.map((until) => [until, foldOf(events.filter(({ created }) => created <= until))]));
  const all = [...foldOf(events).keys()].sort();
  const keys = viewKind.options.flatMap((kind) => sampleOf(all.filter((key) => key.startsWith(`${kind} `))));
  for (const [n, key] of keys.entries())
    for (const until of times.filter((_, at) => (at + n) % atSize(6, 13) === 0)) {
      const [kind = "", id = ""] = key.split(" ");
      const expected = folds.get(until)?.get(key) ?? null;
      const view = await readView(workspaceId, viewKind.parse(kind), id, iso(until));
      const where = `${key} as of ${until}`;
      expect(view === null, where).toBe(expected === null);
      if (!view || !expected) seen.none += 1;
      else if (view.partial) {
        expect(Date.parse(view.knownFrom ?? ""), where).toBeGreaterThan(until * 1000);
        // Every field that it shows had this value.
        for (const [field, shown] of Object.entries(view.fields)) expect(shown, `${where}: ${field}`).toEqual(expected.fields[field]);
        expect([expected.state, "unknown"], where).toContain(view.state);
        seen.partial += 1;
      } else {
        expect(view, where).toMatchObject({ fields: expected.fields, state: expected.state, lastEventAt: expected.lastEventAt });
        expect(Object.keys(view.fields), where).toEqual(Object.keys(expected.fields));
        expect(view.knownFrom, where).toBeNull();
        seen.whole += 1;
        seen.kinds.add(kind);
      }
    }
  return seen;
}

describe("a record as of a moment, when events of it have left the log", () => {
  it.each([41, 42])("is what all that ever came makes of it, or says that it is not known whole: seed %i", async (seed) => {
    const { workspaceId, events } = await received(seed);
    // A neighbour that keeps its own events: rows leave the shared months one by one.
    const neighbour = seed % 2 === 0 ? await makeWorkspace() : null;
    if (neighbour) {
      await keep(neighbour.workspaceId, 3650);
      for (const ago of [1, 2, 3]) {
        const other = [{ eventId: `n_${ago}`, type: "document.uploaded", created: BEGIN, data: { documentId: "n" } }];
        await append(neighbour.workspaceId, neighbour.sourceId, other, new Date(monthsAgo(ago).getTime() + 10 * DAY_MS));
      }
      await drainInbox();
    }
    for (const [round, months] of [2, 1, 0].entries()) {
      if (round < 2) await keep(workspaceId, daysToMonth(months));
      const before = await countLog(workspaceId);
      const { eventsForgotten } = await applyRetention(round === 0 ? 37 : 1000);
      if (round < 2) expect(eventsForgotten).toBe(before - (await countLog(workspaceId)));
      expect(eventsForgotten > 20).toBe(round < 2);
      const { whole, partial, none, kinds } = await compare(workspaceId, events);
      expect([...kinds].sort()).toEqual(PLATFORM_KINDS.toSorted());
      expect(Math.min(whole, partial, none)).toBeGreaterThan(5);
      figure(
        `seed ${seed}, ${eventsForgotten} events gone: as of T is the fold of all ${whole} times, ${partial} times said to be partial`,
      );
      expect(await rebuild(workspaceId, { dryRun: round % 2 === 0 })).toMatchObject({ ...nothing, corrected: 0 });
    }
    for (const pipeline of ["pip_0", "pip_3"]) {
      const last = iso(events.at(-1)?.created ?? 0);
      const [then, now] = [await readBoardAsOf(workspaceId, pipeline, last), await readBoard(workspaceId, pipeline)];
      expect(then).toMatchObject({ pipeline: now?.pipeline, stages: now?.stages, partial: false, knownFrom: null });
      expect(await readBoardAsOf(workspaceId, pipeline, iso(BEGIN + 20))).toMatchObject({ partial: true, knownFrom: expect.any(String) });
    }
  });

  it("has its moments and its timeline when all have gone, and an event that comes late folds with them", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const event = (eventId: string, type: string, at: number, data: object = {}) => ({
      eventId,
      type,
      created: BEGIN + at,
      data: { documentId: "doc", ...data },
    });
    const old = new Date(monthsAgo(3).getTime() + 10 * DAY_MS);
    await append(workspaceId, sourceId, [event("up", "document.uploaded", 0, { name: "a.pdf" })], old);
    await append(workspaceId, sourceId, [event("bad", "document.error", 50, { name: "b.pdf", error: { code: "x" } })], old);
    await drainInbox();
    const live = await readView(workspaceId, "document", "doc", null);
    await keep(workspaceId, daysToMonth(1));
    expect((await applyRetention()).eventsForgotten).toBe(2);
    expect(await readView(workspaceId, "document", "doc", iso(BEGIN + 60))).toMatchObject({ fields: live?.fields, partial: false });
    expect(await readView(workspaceId, "document", "doc", iso(BEGIN - 1))).toBeNull();
    const between = await readView(workspaceId, "document", "doc", iso(BEGIN + 20));
    expect(between).toMatchObject({ state: "unknown", partial: true, knownFrom: iso(BEGIN + 50) });
    expect(Object.keys(between?.fields ?? {})).toEqual(["uploadedAt"]);
    expect(await readMoments(workspaceId, "document", "doc")).toMatchObject({
      data: [{ at: iso(BEGIN + 50) }],
      knownFrom: iso(BEGIN + 50),
    });
    const gone = { data: [], partial: true, knownFrom: iso(BEGIN + 50) };
    expect(await readTimeline(workspaceId, "document", "doc", null)).toMatchObject(gone);
    expect(await readTimeline(workspaceId, "document", "doc", iso(BEGIN - 1))).toBeNull();
    expect(await readTimeline(workspaceId, "document", "other", null)).toBeNull();

    await append(workspaceId, sourceId, [event("ok", "document.processed", 40, { pages: 3 })]);
    await append(workspaceId, sourceId, [event("done", "document.processed", 70)]);
    await drainInbox();
    expect(await readView(workspaceId, "document", "doc", iso(BEGIN + 60))).toMatchObject({
      state: "error",
      partial: false,
      fields: { name: { value: "b.pdf" }, pages: { value: 3 }, errorCode: { value: "x" } },
    });
    const timeline = await readTimeline(workspaceId, "document", "doc", null);
    expect(timeline?.data.map(({ event: { id }, changes }) => [id, changes.map(({ field, before }) => [field, before])])).toEqual([
      [
        "done",
        expect.arrayContaining([
          ["errorCode", "x"],
          ["state", "error"],
        ]),
      ],
      ["ok", expect.arrayContaining([["pages", null]])],
    ]);
    const effectOf = async (id: string, field: string) => (await readEvent(workspaceId, id))?.effects.find((each) => each.field === field);
    expect(await effectOf("done", "state")).toMatchObject({ before: { value: "error", eventId: "bad" }, beforeKnown: true });
    expect(await effectOf("ok", "state")).toMatchObject({ before: null, beforeKnown: false });
    expect(await effectOf("ok", "pages")).toMatchObject({ before: null, beforeKnown: true });
    expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, corrected: 0 });
  });

  it("says what it does not know where events left before bases were kept", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const at = (offset: number) => BEGIN + offset;
    const run = (eventId: string, created: number) => ({ eventId, type: "automation.triggered", created, data: { automationId: "aut" } });
    await append(workspaceId, sourceId, [run("lost", at(0)), { ...run("left", at(1)), data: { automationId: "aut", name: "Nightly" } }]);
    await append(workspaceId, sourceId, [run("kept", at(90))]);
    await drainInbox();
    await forgetEvents(["lost", "left"]);
    expect(await rebuild(workspaceId, { dryRun: true })).toMatchObject(nothing);
    const marks = { partial: true, knownFrom: iso(at(90)) };
    expect(await readView(workspaceId, "automation", "aut", iso(at(50)))).toMatchObject({ state: "unknown", ...marks });
    expect(await readView(workspaceId, "automation", "aut", iso(at(90)))).toMatchObject({
      partial: false,
      fields: { name: { value: "Nightly" } },
    });
  });

  it("takes over what left about an event that stayed, and what had lost only its key", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const made = (id: string, days: number) => {
      const data = { taskId: `tsk_${id}`, pipelineId: "pip", stage: "Inbox" };
      return { eventId: id, type: "task.created", created: BEGIN + days * 86_400, data };
    };
    await append(workspaceId, sourceId, [made("stays", 0)], new Date(monthsAgo(3).getTime() + 10 * DAY_MS));
    await append(workspaceId, sourceId, [made("gone", 20), made("half", 20)], new Date(monthsAgo(2).getTime() + DAY_MS));
    await drainInbox();
    await forgetEvents(["gone"]);
    await forgetEvents(["half"], false);
    expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, corrected: 0, moves: { ...nothing, live: 3 } });
    await keep(workspaceId, 7);
    expect((await pool().query("DELETE FROM events WHERE event_id = 'half'")).rowCount).toBe(1);
    expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, corrected: 0, moves: { ...nothing, live: 3, carried: 2 } });
  });

  it("is missing from the board of the pipeline that it was in before, which says so", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const task = (eventId: string, type: string, created: number, data: object) => ({
      eventId,
      type,
      created,
      data: { taskId: "tsk", ...data },
    });
    const events = [
      task("made", "task.created", BEGIN, { pipelineId: "pip_a", stage: "Inbox" }),
      task("moved", "pipeline.stage_changed", BEGIN + 100, { pipelineId: "pip_b", fromStage: "Inbox", toStage: "Review" }),
    ];
    await append(workspaceId, sourceId, events, new Date(monthsAgo(3).getTime() + 10 * DAY_MS));
    await drainInbox();
    await keep(workspaceId, daysToMonth(1));
    await applyRetention();
    expect(await countLog(workspaceId)).toBe(0);
    const board = (at: number) => readBoardAsOf(workspaceId, "pip_a", iso(BEGIN + at));
    expect(await board(50)).toMatchObject({ partial: true, knownFrom: iso(BEGIN + 100) });
    expect(await board(100)).toMatchObject({ partial: false, knownFrom: null });
  });

  it("keeps events that an earlier version would delete without a base", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(workspaceId, sourceId, [{ eventId: "up", type: "document.uploaded", created: BEGIN, data: { documentId: "d" } }]);
    await expect(pool().query("DELETE FROM event_keys WHERE event_id = 'up'")).rejects.toMatchObject({ code: "55000" });
    expect(await countLog(workspaceId)).toBe(1);
  });
});
