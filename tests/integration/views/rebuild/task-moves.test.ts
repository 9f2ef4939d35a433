import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { readThroughput } from "#lib/flows/views/read-board";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { forgetEvents, rebuild } from "#tests/support/rebuild";

useDatabase();

const NOW = new Date();
const SECONDS = Math.floor(NOW.getTime() / 1000);
const DAY_S = 86_400;
const equal = { missing: 0, surplus: 0, different: 0 };

/** All moves of a workspace to the byte. */
async function dump(workspaceId: WorkspaceId): Promise<string> {
  const { rows } = await pool().query("SELECT * FROM task_moves WHERE workspace_id = $1 ORDER BY event_id", [workspaceId]);
  return JSON.stringify(rows);
}

/** A task made in Inbox that moved on to Review. */
function taskOf(id: string, made: number): FoldableEvent[] {
  const ids = { taskId: id, pipelineId: "pipe_1" };
  const move = { ...ids, fromStage: "Inbox", toStage: "Review" };
  return [
    { eventId: `${id}_made`, type: "task.created", created: made, data: { ...ids, stage: "Inbox" } },
    { eventId: `${id}_moved`, type: "pipeline.stage_changed", created: made + 60, data: move },
  ];
}

const withTasks = (made: number, receivedAt = NOW) =>
  makeApplied(
    ["task_1", "task_2", "task_3"].flatMap((id) => taskOf(id, made)),
    { receivedAt },
  );

describe("rebuilding the moves of tasks from the log", () => {
  it("mends what is missing, wrong and of an event that is no move, so that the throughput is right again and the tasks are judged anew", async () => {
    const { workspaceId, sourceId } = await withTasks(SECONDS - 7200);
    const noMove = { eventId: "evt_doc", type: "document.uploaded", created: SECONDS - 7200, data: { documentId: "doc_1" } };
    await append(workspaceId, sourceId, [noMove]);
    await drainInbox();
    const [before, plot] = [await dump(workspaceId), await readThroughput(workspaceId, "pipe_1", NOW)];
    await pool().query("UPDATE task_moves SET stage = 'Elsewhere' WHERE workspace_id = $1 AND event_id = 'task_1_moved'", [workspaceId]);
    await pool().query("DELETE FROM task_moves WHERE workspace_id = $1 AND event_id = 'task_2_moved'", [workspaceId]);
    await pool().query(
      "INSERT INTO task_moves (workspace_id, event_id, task_id, pipeline_id, stage, creates, at) VALUES ($1, 'evt_doc', 'task_3', 'pipe_1', 'Done', false, $2)",
      [workspaceId, SECONDS - 7000],
    );
    const since = await pool().query<{ now: Date }>("SELECT now() AS now");
    const check = await rebuild(workspaceId, { dryRun: true });
    expect(check).toMatchObject({ ...equal, moves: { live: 6, rebuilt: 6, missing: 1, surplus: 1, different: 1 }, corrected: 0 });
    expect((await rebuild(workspaceId)).corrected).toBe(3);
    expect(await dump(workspaceId)).toBe(before);
    expect(await readThroughput(workspaceId, "pipe_1", NOW)).toEqual(plot);
    const changed = await pool().query("SELECT id FROM views WHERE workspace_id = $1 AND kind = 'task' AND updated_at > $2 ORDER BY id", [
      workspaceId,
      since.rows[0]?.now,
    ]);
    expect(changed.rows).toEqual([{ id: "task_1" }, { id: "task_2" }, { id: "task_3" }]);
  });

  it("takes what waits in the inbox for filed", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await withTasks(SECONDS - 7200);
    await append(workspaceId, sourceId, taskOf("task_4", SECONDS - 3600));
    expect(await rebuild(workspaceId)).toMatchObject({ ...equal, waiting: 2, corrected: 0, moves: { ...equal, live: 6, rebuilt: 8 } });
    await drainInbox();
    expect((await rebuild(workspaceId)).moves).toMatchObject({ ...equal, live: 8, rebuilt: 8 });
  });

  it("keeps the moves whose events the log has let go of, as it keeps the fields that they set", { tags: ["deep"] }, async () => {
    const { workspaceId, sourceId } = await withTasks(1000);
    await append(workspaceId, sourceId, taskOf("task_4", SECONDS));
    await drainInbox();
    const before = await dump(workspaceId);
    await forgetEvents(["task_1_made", "task_1_moved", "task_2_made"]);
    expect(await rebuild(workspaceId)).toMatchObject({ corrected: 0, moves: { ...equal, live: 8, rebuilt: 5, carried: 3 } });
    expect(await dump(workspaceId)).toBe(before);
  });
});

it("retention leaves the moves of tasks: whether a stage was ever entered is asked long after its event has gone", async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 400)::date, 15)");
  const made = SECONDS - 200 * DAY_S;
  const { workspaceId } = await withTasks(made, new Date(made * 1000));
  const before = await dump(workspaceId);
  expect((await applyRetention()).eventsForgotten).toBe(6);
  expect(await dump(workspaceId)).toBe(before);
});
