import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { readEvent } from "#lib/flows/events/read-event";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const task = { taskId: "task_1", pipelineId: "pipe_1" };
const SCENARIO: FoldableEvent[] = [
  { eventId: "e1", type: "task.created", created: 100, data: { ...task, title: "Check", stage: "Inbox" } },
  { eventId: "e2", type: "pipeline.stage_changed", created: 100, data: { ...task, fromStage: "Inbox", toStage: "Review" } },
  { eventId: "e3", type: "task.completed", created: 200, data: task },
  { eventId: "e4", type: "task.assigned", created: 300, data: { ...task, assignee: "Ada" } },
];

async function effect(workspaceId: WorkspaceId, eventId: string, field: string, kind = "task") {
  return (await readEvent(workspaceId, eventId))?.effects.find((each) => each.field === field && each.kind === kind);
}

async function told(order: FoldableEvent[]): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  for (const event of order) {
    await append(workspaceId, sourceId, [event]);
    await drainInbox();
  }
  return workspaceId;
}

describe("an event's effects", () => {
  it.each([
    ["in order", SCENARIO],
    ["in reverse", [...SCENARIO].reverse()],
  ])("are told by the platform's time, though the events came %s", async (_, order) => {
    const workspaceId = await told(order);
    expect(await effect(workspaceId, "e1", "stage")).toMatchObject({
      before: null,
      value: "Inbox",
      verdict: "overtaken",
      overtakenBy: "e2",
      now: { value: "Review", eventId: "e2" },
    });
    expect(await effect(workspaceId, "e2", "stage")).toMatchObject({
      before: { value: "Inbox", eventId: "e1" },
      value: "Review",
      verdict: "stands",
    });
    expect(await effect(workspaceId, "e2", "pipelineId")).toMatchObject({ before: { value: "pipe_1", eventId: "e1" }, value: "pipe_1" });
  });

  it("say of a state that came after the end that it never counted", async () => {
    const workspaceId = await told(SCENARIO);
    expect(await effect(workspaceId, "e4", "state")).toMatchObject({
      before: { value: "completed", eventId: "e3" },
      value: "assigned",
      verdict: "passed_over",
      overtakenBy: "e3",
    });
    expect(await effect(workspaceId, "e4", "assignee")).toMatchObject({ before: null, verdict: "stands" });
  });

  it("say that the first sight of a stage stays with the event that had it", async () => {
    const workspaceId = await told(SCENARIO);
    expect(await effect(workspaceId, "e1", "stage:Inbox", "pipeline")).toMatchObject({ before: null, verdict: "stands" });
    expect(await effect(workspaceId, "e2", "stage:Inbox", "pipeline")).toBeUndefined();
  });

  it("tell of a success which failure it ended, and of that failure by what it was ended", async () => {
    const document = { documentId: "doc_1" };
    const workspaceId = await told([
      { eventId: "good", type: "document.processed", created: 200, data: { ...document, status: "completed" } },
      { eventId: "bad", type: "document.error", created: 100, data: { ...document, error: { message: "Blank page" } } },
    ]);
    expect(await effect(workspaceId, "good", "errorMessage", "document")).toMatchObject({
      before: { value: "Blank page", eventId: "bad" },
      value: null,
      verdict: "stands",
    });
    expect(await effect(workspaceId, "bad", "errorMessage", "document")).toMatchObject({
      value: "Blank page",
      now: { value: null, eventId: "good" },
      verdict: "overtaken",
      overtakenBy: "good",
    });
    expect(await effect(workspaceId, "good", "errorCode", "document")).toBeUndefined();
  });
});
