import { describe, expect, it } from "vitest";
import { stageChanges, taskChanges } from "#components/views/board/board-changes";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { BoardFilter } from "#lib/contracts/board-filters";
import type { PipelineBoard } from "#lib/contracts/views";
import { readBoard, readBoardAsOf, readThroughput } from "#lib/flows/views/read-board";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { listViews } from "#lib/views/view-list-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { randomEvents, shuffledWithRepeats } from "#tests/support/random-events";
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

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

const heard = async (events: FoldableEvent[]) => (await makeApplied(events)).workspaceId;

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
    const event = (eventId: string, type: string, created: number, data: object) => ({ eventId, type, created, data: { ...data } });
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

/** In the middle of the last whole hour: what was created after its receipt is taken for just received. */
const THEN_S = Math.floor(Date.now() / 1000 / HOUR) * HOUR - 1800;
const THEN = new Date(THEN_S * 1000);

/** Two tasks wait in Review, one for 10 minutes and one for 50; a third moved two days ago. */
async function told() {
  const move = (task: string, ago: number, stage: string, type = "pipeline.stage_changed") => ({
    eventId: `${task}-${stage}`,
    type,
    created: THEN_S - ago,
    data: { taskId: task, pipelineId: "pipe_1", toStage: stage, title: task },
  });
  const { workspaceId } = await makeApplied([
    move("a", 1200, "Review", "task.created"),
    move("a", 600, "Paid"),
    move("b", 3600, "Review", "task.created"),
    move("b", 600, "Paid"),
    move("c", 50 * HOUR, "Review", "task.created"),
    move("c", 48 * HOUR, "Paid"),
    { eventId: "a-done", type: "task.completed", created: THEN_S - 300, data: { taskId: "a" } },
  ]);
  return workspaceId;
}

describe("a pipeline over time", () => {
  const sum = (counts: number[] | undefined) => counts?.reduce((all, n) => all + n, 0);

  it("counts who came to each stage and who was completed, by the range's own steps, and how long tasks had been on a stage that they left", async () => {
    const workspaceId = await told();
    const day = await readThroughput(workspaceId, "pipe_1", THEN);
    expect(day?.stages.map(({ name, arrived }) => [name, arrived.length, sum(arrived)])).toEqual([
      ["Review", 24, 2],
      ["Paid", 24, 2],
    ]);
    expect(sum(day?.completed)).toBe(1);
    expect(day?.since).toBe(new Date((Math.floor(THEN_S / HOUR) - 23) * HOUR * 1000).toISOString());
    expect(await readThroughput(workspaceId, "pipe_nobody", THEN)).toBeNull();
    const hour = await readThroughput(workspaceId, "pipe_1", THEN, "1h");
    expect([hour?.stepSeconds, hour?.completed.length]).toEqual([60, 60]);
    expect(hour?.stages.find(({ name }) => name === "Paid")?.arrived[49]).toBe(2);
    const week = await readThroughput(workspaceId, "pipe_1", THEN, "7d");
    expect([week?.stepSeconds, week?.completed.length]).toEqual([6 * HOUR, 28]);
    expect(sum(week?.stages.find(({ name }) => name === "Paid")?.arrived)).toBe(3);
    const [review, paid] = ["Review", "Paid"].map((stage) => day?.stages.find(({ name }) => name === stage));
    expect(review?.stay).toEqual({ left: 2, p50: 600, p95: 3000 });
    expect(review?.stays.filter((stay) => stay !== null)).toEqual([600]);
    expect(paid?.stay).toBeNull();
    expect(week?.stages.find(({ name }) => name === "Review")?.stay).toEqual({ left: 3, p50: 3000, p95: 2 * HOUR });
  });
});
