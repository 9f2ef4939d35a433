import { beforeAll, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { dryRunRedelivery, redeliverEvent, redeliverSet, startHeld } from "#lib/flows/processing/redeliver-events";
import { abortRedelivery, findRedelivery, listRedeliveries, listRedeliveryEvents } from "#lib/processing/redelivery-store";
import { useDatabase } from "#tests/support/database";
import { fillLog } from "#tests/support/large-log";
import { append, drainInbox, fileAll } from "#tests/support/log-writer";
import { atSize } from "#tests/support/sample";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const FOUND = { q: "invoice", type: ["document.processed", "task.created", "pipeline.stage_changed", "task.completed"] };
const request = { now: new Date(), name: "After the fix", requestedBy: "ada@example.com" };
const TOTAL = atSize(10_000, 5000);
let workspaceId: WorkspaceId;

const views = async () =>
  (await pool().query("SELECT kind, id, registers::text AS registers FROM views WHERE workspace_id = $1 ORDER BY kind, id", [workspaceId]))
    .rows;

beforeAll(async () => {
  const made = await makeWorkspace();
  workspaceId = made.workspaceId;
  // Four of five scenes are of these types, but for what ends in an error.
  await fillLog({ ...made, events: atSize(12_534, 6268), waiting: true });
  await drainInbox();
  await fileAll();
});

describe("re-delivering thousands of events that a search found", () => {
  it("tells first what would happen, is aborted half-way, goes on, adds up, and doubles nothing", async () => {
    const lost = ["task_big_8", "task_big_11"];
    const before = await views();
    await pool().query("DELETE FROM views WHERE workspace_id = $1 AND id = ANY($2)", [workspaceId, lost]);
    const { id: held, total } = await redeliverSet(workspaceId, { filter: FOUND }, { ...request, hold: true });
    const id = held ?? "";
    expect(total).toBe(TOTAL);
    expect((await listRedeliveries(workspaceId, { limit: 10 })).data).toEqual([]);

    const dry = await dryRunRedelivery(workspaceId, id);
    expect(dry).toMatchObject({ total, wouldChange: 6, stale: 0, noView: 0, stillFails: 0, appliedAlready: total - 6 });
    expect(dry?.samples.find(({ outcome }) => outcome === "would_change")?.changes).toContainEqual({
      ...{ kind: "task", resourceId: "task_big_8", field: "state" },
      ...{ before: null, after: "open" },
    });
    expect(await findRedelivery(workspaceId, id)).toMatchObject({ state: "held", waiting: 0, applied: 0 });

    await startHeld(workspaceId, id);
    await startHeld(workspaceId, id);
    expect(await findRedelivery(workspaceId, id)).toMatchObject({ state: "running", waiting: total });
    const worker = drainInbox();
    while (((await findRedelivery(workspaceId, id))?.applied ?? 0) < TOTAL * 0.4);
    expect(await abortRedelivery(workspaceId, id)).toEqual({ before: "queued", changed: true });
    await worker;
    const aborted = await findRedelivery(workspaceId, id);
    expect(aborted).toMatchObject({ state: "aborted", waiting: 0, failed: 0 });
    expect(aborted?.applied).toBeGreaterThanOrEqual(TOTAL * 0.4);
    expect(aborted?.applied).toBeLessThan(total);
    expect(aborted?.left).toBe(total - (aborted?.applied ?? 0));

    expect(await startHeld(workspaceId, id)).toMatchObject({ state: "running", waiting: aborted?.left });
    await Promise.all([drainInbox(), drainInbox()]);
    expect(await findRedelivery(workspaceId, id)).toMatchObject({ state: "done", total, applied: total, failed: 0, left: 0 });
    const { rows } = await pool().query<{ events: number; attempts: number }>(
      "SELECT count(DISTINCT (received_at, seq)) AS events, count(*) AS attempts FROM attempts WHERE redelivery_id = $1",
      [id],
    );
    expect(rows[0]).toEqual({ events: total, attempts: total });
    expect(await abortRedelivery(workspaceId, id), "stopping one that is done").toEqual({ before: "queued", changed: false });
    expect(await findRedelivery(workspaceId, id)).toMatchObject({ state: "done" });
    expect(await views(), "also those that were lost").toEqual(before);
  }, 120_000);
});

describe("a re-delivery", () => {
  const eventIds = ["evt_big_0", "evt_big_1", "evt_big_2", "evt_of_nobody"];

  it("takes chosen events, and has its place in the history once it has begun", async () => {
    const { id, total } = await redeliverSet(workspaceId, { eventIds }, request);
    expect(total).toBe(3);
    await drainInbox();
    const { data, nextCursor } = await listRedeliveries(workspaceId, { limit: 1 });
    const [first] = data;
    expect(first).toMatchObject({ id, name: "After the fix", state: "done", applied: 3, filter: null, requestedBy: "ada@example.com" });
    const second = await listRedeliveries(workspaceId, { limit: 1, cursor: nextCursor ?? "" });
    expect(second.data[0]?.total).toBe(TOTAL);
    const other = await makeWorkspace();
    expect((await redeliverSet(other.workspaceId, { eventIds }, request)).total).toBe(0);
  });

  it("keeps its set as it was frozen, whatever matches later", { tags: ["deep"] }, async () => {
    const made = await makeWorkspace();
    await fillLog({ ...made, events: 10, waiting: true, run: "frozen" });
    await drainInbox();
    const { id, total } = await redeliverSet(made.workspaceId, { filter: {} }, { ...request, hold: true });
    await fillLog({ ...made, events: 10, waiting: true, run: "later" });
    await drainInbox();
    expect(total).toBe(10);
    await startHeld(made.workspaceId, id ?? "");
    await drainInbox();
    expect(await findRedelivery(made.workspaceId, id ?? "")).toMatchObject({ state: "done", applied: 10 });
  });

  it("tells apart what would change, what stands, what is stale, and what still fails", async () => {
    const made = await makeWorkspace();
    await fillLog({ ...made, events: 5, waiting: true, run: "mixed" });
    await drainInbox();
    await pool().query("UPDATE views SET registers = registers #- '{state}' WHERE workspace_id = $1 AND kind = 'task'", [made.workspaceId]);
    const { outcome } = await redeliverSet(made.workspaceId, { filter: {} }, { ...request, dryRun: true });
    expect(outcome?.samples.find(({ eventId }) => eventId === "evt_mixed_2")).toMatchObject({
      outcome: "would_change",
      changes: [{ kind: "task", resourceId: "task_mixed_0", field: "state", before: null, after: "open" }],
    });
    expect(outcome).toMatchObject({ total: 5, stillFails: 0 });
    expect((outcome?.wouldChange ?? 0) + (outcome?.appliedAlready ?? 0) + (outcome?.stale ?? 0)).toBe(5);
  });
});

const document = (eventId: string, data: Record<string, unknown>) => ({ eventId, type: "document.uploaded", created: 1_760_000_000, data });

describe("the events of a re-delivery", () => {
  it("are listed with what came of each, by outcome and page by page; a single one is named", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(workspaceId, sourceId, [document("good_1", { documentId: "doc_1" }), document("bad", { nothing: true })]);
    await append(workspaceId, sourceId, [document("good_2", { documentId: "doc_2" })]);
    await drainInbox();
    const { id } = await redeliverSet(
      workspaceId,
      { eventIds: ["good_1", "bad", "good_2"] },
      { now: new Date(), name: null, requestedBy: "ada", hold: true },
    );
    const list = (outcome?: "applied" | "failed" | "waiting" | "not_tried", cursor?: string) =>
      listRedeliveryEvents(workspaceId, id ?? "", { outcome }, { limit: 2, cursor });
    expect((await list("not_tried")).data).toHaveLength(2);
    await startHeld(workspaceId, id ?? "");
    expect((await list("waiting")).data).toHaveLength(2);
    await drainInbox();
    const first = await list();
    const rest = await list(undefined, first.nextCursor ?? "");
    expect([...first.data, ...rest.data].map(({ eventId, outcome }) => [eventId, outcome]).sort()).toEqual([
      ["bad", "failed"],
      ["good_1", "applied"],
      ["good_2", "applied"],
    ]);
    const [failed] = (await list("failed")).data;
    expect(failed).toMatchObject({ eventId: "bad", failure: expect.stringContaining("has no document ID") });
    const stranger = await makeWorkspace();
    expect((await listRedeliveryEvents(stranger.workspaceId, id ?? "", {}, { limit: 2 })).data).toEqual([]);

    const single = await redeliverEvent(workspaceId, "bad", "ada");
    await drainInbox();
    expect(await findRedelivery(workspaceId, single ?? "")).toMatchObject({ event: { id: "bad", type: "document.uploaded" }, failed: 1 });
    expect((await listRedeliveries(workspaceId, { limit: 5 })).data.map(({ event }) => event?.id)).toEqual(["bad", undefined]);
  });
});
