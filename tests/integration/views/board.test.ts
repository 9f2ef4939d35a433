import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { BoardFilter } from "#lib/contracts/board-filters";
import { readBoard, readBoardAsOf } from "#lib/flows/views/read-board";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { listViews } from "#lib/views/view-list-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const NOW = new Date();
const SECONDS = Math.floor(NOW.getTime() / 1000);
const HOUR = 3600;

type World = Awaited<ReturnType<typeof makeWorkspace>>;

/** A pipeline with `count` tasks in Inbox, of which every third has moved on to Review; the last of those are completed. */
async function tell(world: World, count: number): Promise<void> {
  const events: FoldableEvent[] = [];
  for (let n = 0; n < count; n += 1) {
    const ids = { taskId: `task_${n}`, pipelineId: "pipe_1" };
    const made = SECONDS - 5 * HOUR + n;
    events.push(eventOf("task.created", made, { ...ids, title: `Task ${n}`, stage: "Inbox" }));
    if (n % 2 === 0) events.push(eventOf("task.assigned", made + 60, { ...ids, assignee: n % 4 === 0 ? "Mara" : "Jonas" }));
    if (n % 3 === 0) events.push(eventOf("pipeline.stage_changed", made + HOUR, { ...ids, fromStage: "Inbox", toStage: "Review" }));
    if (n % 6 === 0) events.push(eventOf("task.completed", made + 2 * HOUR, { taskId: ids.taskId }));
  }
  await send(world, events);
}

let sent = 0;
const eventOf = (type: string, created: number, data: Record<string, unknown>) => ({ eventId: `evt_${sent++}`, type, created, data });

async function send({ workspaceId, sourceId }: World, events: FoldableEvent[]): Promise<void> {
  await append(workspaceId, sourceId, events);
  await drainInbox();
}

const idsOf = async (workspaceId: WorkspaceId, filter: Record<string, unknown>) =>
  (await listViews(workspaceId, "task", { limit: 200, ...filter })).data.map(({ id }) => id);

describe("a board", () => {
  it("counts every task of each stage, brings the newest twenty in work and five completed, and the rest page by page", async () => {
    const world = await makeWorkspace();
    const { workspaceId } = world;
    await tell(world, 72);
    const board = await readBoard(workspaceId, "pipe_1");
    expect(board?.stages.map(({ name, count, completed }) => [name, count, completed])).toEqual([
      ["Inbox", 48, 0],
      ["Review", 24, 12],
    ]);
    const [inbox, review] = board?.stages ?? [];
    expect(inbox?.tasks).toHaveLength(20);
    expect(review?.tasks.map(({ state }) => state === "completed")).toEqual([
      ...Array.from({ length: 12 }, () => false),
      ...Array.from({ length: 5 }, () => true),
    ]);
    expect(inbox?.tasks[0]?.id, "its last event is the newest").toBe("task_70");
    const filter = { parent: "pipe_1", stage: "Inbox", active: true };
    const first = await listViews(workspaceId, "task", { ...filter, limit: 40 });
    const second = await listViews(workspaceId, "task", { ...filter, limit: 40, cursor: first.nextCursor ?? "" });
    const all = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(all).size).toBe(48);
    expect(second.nextCursor).toBeNull();
  });

  it("narrows to a search and an assignee with exact counts, and brings first those that have been in their stage longest, now as then", async () => {
    const world = await makeWorkspace();
    const { workspaceId } = world;
    await tell(world, 72);
    // Its last event is the newest, and it has been in Inbox longest: an assignment is no move.
    await send(world, [eventOf("task.assigned", SECONDS - 60, { taskId: "task_1", pipelineId: "pipe_1", assignee: "Mara" })]);
    const inbox = async (filter: BoardFilter, asOf?: string) => {
      const board = await (asOf ? readBoardAsOf(workspaceId, "pipe_1", asOf, filter) : readBoard(workspaceId, "pipe_1", filter));
      const stage = board?.stages.find(({ name }) => name === "Inbox");
      return { count: stage?.count, ids: stage?.tasks.map(({ id }) => id) ?? [], assignees: board?.assignees };
    };
    const now = new Date(SECONDS * 1000).toISOString();
    for (const at of [undefined, now]) {
      const waiting = await inbox({ order: "waiting" }, at);
      expect(waiting.ids.slice(0, 4), at).toEqual(["task_1", "task_2", "task_4", "task_5"]);
      expect([waiting.count, waiting.ids.length, waiting.assignees]).toEqual([48, 20, ["Jonas", "Mara"]]);
      expect((await inbox({}, at)).ids[0]).toBe("task_1");
      expect(await inbox({ assignee: "Jonas", order: "waiting" }, at)).toMatchObject({
        count: 12,
        ids: expect.arrayContaining(["task_2"]),
      });
      expect(await inbox({ q: "TASK 7" }, at)).toMatchObject({ count: 3, ids: ["task_70", "task_71", "task_7"] });
      expect(await inbox({ q: "task 7", assignee: "Nobody" }, at)).toMatchObject({ count: 0, ids: [] });
    }
  });

  it("shows tasks without a stage in a column of their own, and none of another workspace's", async () => {
    const world = await makeWorkspace();
    const odd = (taskId: string, stage?: unknown) => eventOf("task.created", SECONDS, { taskId, pipelineId: "pipe_odd", stage });
    await send(world, [odd("task_odd"), odd("task_object", { depth: 1 }), odd("task_long", "x".repeat(300))]);
    const board = await readBoard(world.workspaceId, "pipe_odd");
    expect(board?.stages.map(({ name, tasks, count }) => [name.slice(0, 11), tasks.length, count])).toEqual([
      ["xxxxxxxxxxx", 1, 1],
      ['{"depth":1}', 1, 1],
      ["", 1, 1],
    ]);
    expect(await readBoard((await makeWorkspace()).workspaceId, "pipe_odd")).toBeNull();
  });
});

describe("the filters of tasks", () => {
  it("narrow to a stage, an assignee, work or completion, and to all of them together", async () => {
    const world = await makeWorkspace();
    const { workspaceId } = world;
    await tell(world, 12);
    expect(await idsOf(workspaceId, { assignee: "Mara" })).toEqual(["task_0", "task_8", "task_4"]);
    expect(await idsOf(workspaceId, { stage: "Review" })).toEqual(["task_6", "task_0", "task_9", "task_3"]);
    expect(await idsOf(workspaceId, { active: false })).toEqual(["task_6", "task_0"]);
    expect(await idsOf(workspaceId, { assignee: "Jonas", stage: "Review", active: false })).toEqual(["task_6"]);
    expect(await idsOf(workspaceId, { failed: true })).toEqual([]);
  });
});
