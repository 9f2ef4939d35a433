import { describe, expect, it } from "vitest";
import { readThroughput } from "#lib/flows/views/read-board";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const HOUR = 3600;
/** In the middle of the last whole hour: what was created after its receipt is taken for just received. */
const NOW_S = Math.floor(Date.now() / 1000 / HOUR) * HOUR - 1800;
const NOW = new Date(NOW_S * 1000);

/** Two tasks wait in Review, one for 10 minutes and one for 50; a third moved two days ago. */
async function told() {
  const { workspaceId, sourceId } = await makeWorkspace();
  const move = (task: string, ago: number, stage: string, type = "pipeline.stage_changed") => ({
    eventId: `${task}-${stage}`,
    type,
    created: NOW_S - ago,
    data: { taskId: task, pipelineId: "pipe_1", toStage: stage, title: task },
  });
  await append(workspaceId, sourceId, [
    move("a", 1200, "Review", "task.created"),
    move("a", 600, "Paid"),
    move("b", 3600, "Review", "task.created"),
    move("b", 600, "Paid"),
    move("c", 50 * HOUR, "Review", "task.created"),
    move("c", 48 * HOUR, "Paid"),
    { eventId: "a-done", type: "task.completed", created: NOW_S - 300, data: { taskId: "a" } },
  ]);
  await drainInbox();
  return workspaceId;
}

describe("a pipeline over time", () => {
  const sum = (counts: number[] | undefined) => counts?.reduce((all, n) => all + n, 0);

  it("counts who came to each stage and who was completed, by the range's own steps, the present one last", async () => {
    const workspaceId = await told();
    const day = await readThroughput(workspaceId, "pipe_1", NOW);
    expect(day?.stages.map(({ name, arrived }) => [name, arrived.length, sum(arrived)])).toEqual([
      ["Review", 24, 2],
      ["Paid", 24, 2],
    ]);
    expect(sum(day?.completed)).toBe(1);
    expect(day?.since).toBe(new Date((Math.floor(NOW_S / HOUR) - 23) * HOUR * 1000).toISOString());
    expect(await readThroughput(workspaceId, "pipe_nobody", NOW)).toBeNull();
    const hour = await readThroughput(workspaceId, "pipe_1", NOW, "1h");
    expect([hour?.stepSeconds, hour?.completed.length]).toEqual([60, 60]);
    expect(hour?.stages.find(({ name }) => name === "Paid")?.arrived[49]).toBe(2);
    const week = await readThroughput(workspaceId, "pipe_1", NOW, "7d");
    expect([week?.stepSeconds, week?.completed.length]).toEqual([6 * HOUR, 28]);
    expect(sum(week?.stages.find(({ name }) => name === "Paid")?.arrived)).toBe(3);
  });

  it("tells how long tasks had been on a stage that they left in the range, and nothing of a stage that none left", async () => {
    const workspaceId = await told();
    const day = await readThroughput(workspaceId, "pipe_1", NOW, "24h");
    const [review, paid] = ["Review", "Paid"].map((stage) => day?.stages.find(({ name }) => name === stage));
    expect(review?.stay).toEqual({ left: 2, p50: 600, p95: 3000 });
    expect(review?.stays.filter((stay) => stay !== null)).toEqual([600]);
    expect(paid?.stay).toBeNull();
    const week = await readThroughput(workspaceId, "pipe_1", NOW, "7d");
    expect(week?.stages.find(({ name }) => name === "Review")?.stay).toEqual({ left: 3, p50: 3000, p95: 2 * HOUR });
  });
});
