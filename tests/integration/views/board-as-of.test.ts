import { describe, expect, it } from "vitest";
import { stageChanges, taskChanges } from "#components/views/board/board-changes";
import type { PipelineBoard } from "#lib/contracts/views";
import { readBoard, readBoardAsOf } from "#lib/flows/views/read-board";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

async function heard(events: FoldableEvent[]) {
  const workspace = await makeWorkspace();
  await append(workspace.workspaceId, workspace.sourceId, events);
  await drainInbox();
  return workspace.workspaceId;
}

/** A board without the marks of the past, so that it can stand beside one of the present. */
const plain = (board: PipelineBoard | null) => board && { pipeline: board.pipeline, stages: board.stages };

describe("a board as of a moment", () => {
  it("is the board that somebody saw who had heard only of what was created up to then", async () => {
    const events = randomEvents(210, 31);
    const all = await heard(shuffledWithRepeats(events, 0.3, 31));
    const times = [...new Set(events.map(({ created }) => created))];
    for (const at of [times[3], times[14], times.at(-1)] as number[]) {
      const then = await heard(events.filter(({ created }) => created <= at));
      for (const pipeline of ["pip_0", "pip_3"])
        expect(plain(await readBoardAsOf(all, pipeline, iso(at))), `${pipeline} at ${at}`).toEqual(plain(await readBoard(then, pipeline)));
    }
    expect(await readBoardAsOf(all, "pip_0", iso((times[0] ?? 0) - 10))).toBeNull();
  });

  it("follows each of hundreds of tasks, also by events that name no pipeline", async () => {
    const ids = Array.from({ length: 350 }, (_, n) => `task_${n}`);
    const workspaceId = await heard([
      ...ids.map((taskId, n) => ({
        eventId: `made_${n}`,
        type: "task.created",
        created: 10,
        data: { taskId, pipelineId: "p", stage: "Inbox" },
      })),
      ...ids.map((taskId, n) => ({ eventId: `done_${n}`, type: "task.completed", created: 20, data: { taskId } })),
    ]);
    const then = await readBoardAsOf(workspaceId, "p", iso(30));
    expect(then?.partial).toBe(false);
    expect(then?.stages).toMatchObject([{ name: "Inbox", count: 350, active: 0, completed: 350 }]);
  });

  it("says of two boards which card moved, was new, was completed or left, and which event did it", async () => {
    const on = (taskId: string, toStage: string) => ({ taskId, pipelineId: "p", toStage });
    const event = (eventId: string, type: string, created: number, data: Record<string, unknown>): FoldableEvent => ({
      eventId,
      type,
      created,
      data,
    });
    const workspaceId = await heard([
      event("a1", "task.created", 10, on("a", "Inbox")),
      event("b1", "task.created", 10, on("b", "Inbox")),
      event("c1", "task.created", 10, on("c", "Inbox")),
      event("a2", "pipeline.stage_changed", 20, on("a", "Review")),
      event("b2", "task.completed", 21, { taskId: "b", pipelineId: "p" }),
      event("c2", "pipeline.stage_changed", 22, { taskId: "c", pipelineId: "other", toStage: "X" }),
      event("d1", "task.created", 23, on("d", "Inbox")),
    ]);
    const [before, after] = [await readBoardAsOf(workspaceId, "p", iso(10)), await readBoard(workspaceId, "p")];
    if (!after) throw new Error("there is no board");
    const seen = taskChanges(before, after).map(({ task, from, to, completed, by }) => [task.id, from, to, completed, by?.eventId]);
    expect(seen).toEqual([
      ["d", null, "Inbox", false, "d1"],
      ["b", "Inbox", "Inbox", true, "b2"],
      ["a", "Inbox", "Review", false, "a2"],
      ["c", "Inbox", null, false, undefined],
    ]);
    expect(stageChanges(before, after)).toEqual([
      { name: "Inbox", before: 3, after: 2 },
      { name: "Review", before: 0, after: 1 },
    ]);
  });
});
