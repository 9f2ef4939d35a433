import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { listNamedEvents, listViewPage, readView } from "#lib/flows/views/read-views";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const TASK = { taskId: "task_1", pipelineId: "pipe_1" };
const SCENARIO: FoldableEvent[] = [
  { eventId: "e1", type: "task.created", created: 100, data: { ...TASK, title: "Check", stage: "Inbox" } },
  { eventId: "e2", type: "pipeline.stage_changed", created: 100, data: { ...TASK, fromStage: "Inbox", toStage: "Review" } },
  { eventId: "e3", type: "task.completed", created: 200, data: TASK },
  { eventId: "e4", type: "task.assigned", created: 300, data: { ...TASK, assignee: "Ada" } },
];

async function effect(workspaceId: WorkspaceId, eventId: string, field: string, kind = "task") {
  return (await readEvent(workspaceId, eventId))?.effects.find((each) => each.field === field && each.kind === kind);
}

async function toldOneByOne(order: FoldableEvent[]): Promise<WorkspaceId> {
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
    const workspaceId = await toldOneByOne(order);
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

  it("say of a state that came after the end that it never counted, and that the first sight of a stage stays with its event", async () => {
    const workspaceId = await toldOneByOne(SCENARIO);
    expect(await effect(workspaceId, "e4", "state")).toMatchObject({
      before: { value: "completed", eventId: "e3" },
      value: "assigned",
      verdict: "passed_over",
      overtakenBy: "e3",
    });
    expect(await effect(workspaceId, "e4", "assignee")).toMatchObject({ before: null, verdict: "stands" });
    expect(await effect(workspaceId, "e1", "stage:Inbox", "pipeline")).toMatchObject({ before: null, verdict: "stands" });
    expect(await effect(workspaceId, "e2", "stage:Inbox", "pipeline")).toBeUndefined();
  });

  it("tell of a success which failure it ended, and of that failure by what it was ended", async () => {
    const document = { documentId: "doc_1" };
    const workspaceId = await toldOneByOne([
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

const document = { documentId: "doc_1" };
const task = { taskId: "task_1" };
const pipeline = { pipelineId: "pipe_1", pipelineName: "Invoices" };
const STORY: FoldableEvent[] = [
  { eventId: "e1", type: "document.uploaded", created: 1000, data: { ...document, fileName: "Invoice.pdf" } },
  { eventId: "e2", type: "document.processed", created: 1040, data: { ...document, status: "completed" } },
  {
    eventId: "e3",
    type: "task.created",
    created: 1050,
    data: { ...task, ...document, ...pipeline, title: "Approve invoice", stage: "Approval" },
  },
  // The platform need not name the document again.
  { eventId: "e4", type: "pipeline.stage_changed", created: 2000, data: { ...task, ...pipeline, fromStage: "Approval", toStage: "Paid" } },
];

const told = async () => (await makeApplied(STORY)).workspaceId;

describe("names", () => {
  it("stand beside the ids of what an event names, in lists, on its page and in its effects", async () => {
    const workspaceId = await told();
    const { data } = await listNamedEvents(workspaceId, {}, { limit: 10, now: new Date() });
    expect(data.find(({ id }) => id === "e3")?.resources).toEqual([
      { kind: "document", id: "doc_1", name: "Invoice.pdf" },
      { kind: "pipeline", id: "pipe_1", name: "Invoices" },
      { kind: "task", id: "task_1", name: "Approve invoice" },
    ]);
    const event = await readEvent(workspaceId, "e4");
    expect(event?.resources).toContainEqual({ kind: "task", id: "task_1", name: "Approve invoice" });
    expect(event?.effects.find(({ kind }) => kind === "task")?.resourceName).toBe("Approve invoice");
    expect(event?.related.at(-1)?.resources).toContainEqual({ kind: "document", id: "doc_1", name: "Invoice.pdf" });
  });

  it("of what a record names come with it, and of another workspace never", async () => {
    const workspaceId = await told();
    const names = { "document:doc_1": "Invoice.pdf", "pipeline:pipe_1": "Invoices" };
    expect((await listViewPage(workspaceId, "task", { limit: 5 })).data[0]?.names).toEqual(names);
    expect((await readView(workspaceId, "task", "task_1", null))?.names).toEqual(names);
    const other = await makeApplied([{ eventId: "x1", type: "document.processed", created: 1040, data: document }]);
    expect((await listNamedEvents(other.workspaceId, {}, { limit: 5, now: new Date() })).data[0]?.resources).toEqual([
      { kind: "document", id: "doc_1" },
    ]);
  });

  it("cost one statement a page, however many records it names", async () => {
    const { workspaceId } = await makeApplied(
      Array.from({ length: 60 }, (_, n) => ({
        eventId: `n${n}`,
        type: "document.uploaded",
        created: 1000 + n,
        data: { documentId: `doc_${n}`, fileName: `File ${n}.pdf` },
      })),
    );
    const query = pool().query.bind(pool());
    const asked: string[] = [];
    Object.assign(pool(), {
      query: (...args: Parameters<typeof query>) => {
        if (JSON.stringify(args[0]).includes("FROM views")) asked.push(String(args[0]));
        return query(...args);
      },
    });
    try {
      const { data } = await listNamedEvents(workspaceId, {}, { limit: 50, now: new Date() });
      expect(data.every(({ resources }) => resources[0]?.name?.startsWith("File "))).toBe(true);
      expect(asked).toHaveLength(1);
    } finally {
      Object.assign(pool(), { query });
    }
  });
});

describe("a document's timeline", () => {
  it("tells what each event changed, and goes on with the events of its task; it ends at the moment asked for", async () => {
    const workspaceId = await told();
    const timeline = await readTimeline(workspaceId, "document", "doc_1", null);
    expect(timeline?.data.map(({ event }) => event.id)).toEqual(["e4", "e3", "e2", "e1"]);
    expect(timeline?.data[0]?.changes).toContainEqual({ field: "stage", before: "Approval", after: "Paid" });
    expect(timeline?.data[0]?.record).toEqual({ kind: "task", id: "task_1", name: "Approve invoice" });
    expect(timeline?.data[2]?.changes).toContainEqual({ field: "state", before: "uploaded", after: "processed" });
    expect(timeline?.tasks.map(({ label, fields }) => [label, fields.stage?.value])).toEqual([["Approve invoice", "Paid"]]);
    expect(timeline?.partial).toBe(false);
    const then = await readTimeline(workspaceId, "document", "doc_1", new Date(1500 * 1000).toISOString());
    expect(then?.data.map(({ event }) => event.id)).toEqual(["e3", "e2", "e1"]);
    expect(then?.tasks[0]?.fields.stage?.value).toBe("Approval");
    expect(await readTimeline(workspaceId, "document", "doc_1", new Date(0).toISOString())).toBeNull();
  });
});
