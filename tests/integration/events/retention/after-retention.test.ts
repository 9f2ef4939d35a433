import { beforeEach, describe, expect, it } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEventState } from "#lib/contracts/missing-events";
import { pool } from "#lib/db/pool";
import { findPositions } from "#lib/events/log/event-body-store";
import { applyRetention } from "#lib/flows/events/retention";
import { changeIssueState, readIssues } from "#lib/flows/issues/issues";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { abortRedelivery, findRedelivery, insertRedelivery, startRedelivery } from "#lib/processing/redelivery-store";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const DAY_MS = 86_400_000;
const [OLD, YOUNG] = [200, 20];

type World = { workspaceId: WorkspaceId; sourceId: SourceId };
let world: World;

beforeEach(async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 210)::date, 3)");
  world = await makeWorkspace();
});

/** An event of some days ago, applied or failed. */
async function receive(daysAgo: number, event: FoldableEvent): Promise<void> {
  await append(world.workspaceId, world.sourceId, [event], new Date(Date.now() - daysAgo * DAY_MS));
  await drainInbox();
}

const unnamed = (eventId: string): FoldableEvent => ({ eventId, type: "document.processed", created: 10, data: { strangeId: "doc_1" } });
const named = (eventId: string, type: string, created: number, documentId = "doc_1"): FoldableEvent => ({
  eventId,
  type,
  created,
  data: { documentId },
});

async function onlyIssue() {
  const { data } = await readIssues(world.workspaceId, {}, { limit: 9 }, new Date());
  if (data.length !== 1 || !data[0]) throw new Error(`${data.length} issues instead of one`);
  return data[0];
}

const move = async (action: "acknowledge" | "ignore" | "resolve" | "reopen") =>
  changeIssueState(unaudited(ownerOf(world.workspaceId)), (await onlyIssue()).id, action);

describe("an issue whose events leave the log", () => {
  it("is resolved automatically when the last has gone, says why, is still told of, and opens again when the failure recurs", async () => {
    await receive(OLD, unnamed("bad_1"));
    await receive(OLD, unnamed("bad_2"));
    await move("acknowledge");
    await applyRetention(1);
    expect(await onlyIssue()).toMatchObject({ state: "resolved", stateBy: null, stateCause: "expired", count: 0, failing: 0 });
    await receive(0, unnamed("bad_3"));
    expect(await onlyIssue()).toMatchObject({ state: "open", stateCause: "recurred", count: 1, failing: 1 });
  });

  it("stays open while the log holds one that stands failed", async () => {
    await receive(OLD, unnamed("bad_old"));
    await receive(YOUNG, unnamed("bad_young"));
    await applyRetention();
    expect(await onlyIssue()).toMatchObject({ state: "open", stateCause: null, count: 1, failing: 1 });
  });

  it("is resolved when those that are left have all succeeded", async () => {
    await receive(OLD, named("failed_old", "document.error", 10));
    await receive(YOUNG, named("failed_young", "document.error", 20, "doc_2"));
    await receive(YOUNG, named("well", "document.processed", 30, "doc_2"));
    expect(await onlyIssue()).toMatchObject({ state: "open", count: 2, failing: 1 });
    await applyRetention();
    expect(await onlyIssue()).toMatchObject({ state: "resolved", stateCause: "expired", count: 1, failing: 0 });
  });

  it("stays as a person left it: ignored, and reopened while the log tells of it", { tags: ["deep"] }, async () => {
    await receive(OLD, named("failed_old", "document.error", 10));
    await receive(YOUNG, named("failed_young", "document.error", 10));
    await receive(YOUNG, named("well", "document.processed", 30));
    expect(await onlyIssue()).toMatchObject({ state: "resolved", stateCause: "settled" });
    await move("reopen");
    await applyRetention();
    expect(await onlyIssue()).toMatchObject({ state: "open", stateBy: "ada@example.com", count: 1, failing: 0 });
  });

  it("stays ignored when nothing is left, so that it keeps quiet when it recurs", async () => {
    await receive(OLD, unnamed("bad_1"));
    await move("ignore");
    await applyRetention();
    expect(await onlyIssue()).toMatchObject({ state: "ignored", count: 0 });
  });
});

describe("a missing event whose evidence leaves the log", () => {
  const inState = async (state: MissingEventState) => (await listMissingEvents(world.workspaceId, { state }, { limit: 9 })).data;

  /** Documents that were processed and never uploaded, by one event or two. */
  async function suspect(): Promise<void> {
    await receive(OLD, named("old_1", "document.processed", 10));
    await receive(OLD, named("old_2", "document.processed", 10, "doc_2"));
    await receive(YOUNG, named("young_2", "document.error", 20, "doc_2"));
    await detectMissingEvents();
    await detectMissingEvents(new Date(Date.now() + 60_000));
  }

  it("is closed, says why, and comes back with no later event that adds no evidence", async () => {
    await suspect();
    expect(await inState("open")).toHaveLength(2);
    await applyRetention();
    expect(await inState("open")).toMatchObject([{ resource: { id: "doc_2" }, evidence: ["young_2"] }]);
    expect(await inState("closed")).toMatchObject([
      { resource: { id: "doc_1" }, evidence: [], why: expect.stringContaining("retention policy") },
    ]);
    await receive(0, { eventId: "new_1", type: "document.processed", created: 5, data: { documentId: "doc_1" } });
    await detectMissingEvents();
    await detectMissingEvents(new Date(Date.now() + 60_000));
    expect(await inState("open")).toHaveLength(1);
  });

  it("is forgotten if it was never shown", { tags: ["deep"] }, async () => {
    await receive(OLD, named("old_1", "document.processed", 10));
    await detectMissingEvents();
    await applyRetention();
    await detectMissingEvents(new Date(Date.now() + 60_000));
    expect([await inState("open"), await inState("closed")]).toEqual([[], []]);
  });
});

describe("a re-delivery whose events leave the log", () => {
  const request = { now: new Date(), name: "After the fix", requestedBy: "ada@example.com" };

  async function countItems(): Promise<number> {
    const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM redelivery_items WHERE workspace_id = $1", [
      world.workspaceId,
    ]);
    return rows[0]?.n ?? 0;
  }

  it("forgets its frozen set with them, and keeps its own row and its numbers", async () => {
    await receive(OLD, named("good", "document.uploaded", 10));
    await receive(OLD, unnamed("bad"));
    await receive(YOUNG, named("young", "document.uploaded", 11));
    const { id } = await redeliverSet(world.workspaceId, { eventIds: ["good", "bad", "young"] }, request);
    await drainInbox();
    const before = await findRedelivery(world.workspaceId, id ?? "");
    expect(before).toMatchObject({ state: "done", total: 3, applied: 2, failed: 1, left: 0, expired: 0 });
    await applyRetention(1);
    expect(await countItems()).toBe(1);
    expect(await findRedelivery(world.workspaceId, id ?? "")).toEqual(before);
  });

  it("has no more to go on with than the log still holds, and says what it lost", async () => {
    for (const [days, id] of [
      [OLD, "old"],
      [YOUNG, "young"],
    ] as const)
      await receive(days, named(id, "document.uploaded", 10));
    const positions = await findPositions(world.workspaceId, ["old", "young"]);
    const id = await insertRedelivery(world.workspaceId, positions, { ...request, filter: null });
    await startRedelivery(world.workspaceId, id);
    await abortRedelivery(world.workspaceId, id);
    await applyRetention();
    expect(await findRedelivery(world.workspaceId, id)).toMatchObject({ state: "aborted", total: 2, applied: 0, left: 1, expired: 1 });
    await startRedelivery(world.workspaceId, id);
    await drainInbox();
    expect(await findRedelivery(world.workspaceId, id)).toMatchObject({ state: "done", applied: 1, left: 0, expired: 1 });
    expect(await countItems()).toBe(1);
  });
});
