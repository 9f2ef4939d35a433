import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { readEvent } from "#lib/flows/events/read-event";
import { readTimeline } from "#lib/flows/views/read-timeline";
import { listNamedEvents, listViewPage, readView } from "#lib/flows/views/read-views";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase();

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

async function told(): Promise<WorkspaceId> {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, STORY);
  await drainInbox();
  return workspaceId;
}

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
    const other = await makeWorkspace();
    await append(other.workspaceId, other.sourceId, [{ eventId: "x1", type: "document.processed", created: 1040, data: document }]);
    await drainInbox();
    expect((await listNamedEvents(other.workspaceId, {}, { limit: 5, now: new Date() })).data[0]?.resources).toEqual([
      { kind: "document", id: "doc_1" },
    ]);
  });

  it("cost one statement a page, however many records it names", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    await append(
      workspaceId,
      sourceId,
      Array.from({ length: 60 }, (_, n) => ({
        eventId: `n${n}`,
        type: "document.uploaded",
        created: 1000 + n,
        data: { documentId: `doc_${n}`, fileName: `File ${n}.pdf` },
      })),
    );
    await drainInbox();
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
  it("tells what each event changed, and goes on with the events of its task", async () => {
    const timeline = await readTimeline(await told(), "document", "doc_1", null);
    expect(timeline?.data.map(({ event }) => event.id)).toEqual(["e4", "e3", "e2", "e1"]);
    expect(timeline?.data[0]?.changes).toContainEqual({ field: "stage", before: "Approval", after: "Paid" });
    expect(timeline?.data[0]?.record).toEqual({ kind: "task", id: "task_1", name: "Approve invoice" });
    expect(timeline?.data[2]?.changes).toContainEqual({ field: "state", before: "uploaded", after: "processed" });
    expect(timeline?.tasks.map(({ label, fields }) => [label, fields.stage?.value])).toEqual([["Approve invoice", "Paid"]]);
    expect(timeline?.partial).toBe(false);
  });

  it("ends at the moment asked for", async () => {
    const workspaceId = await told();
    const asOf = new Date(1500 * 1000).toISOString();
    const timeline = await readTimeline(workspaceId, "document", "doc_1", asOf);
    expect(timeline?.data.map(({ event }) => event.id)).toEqual(["e3", "e2", "e1"]);
    expect(timeline?.tasks[0]?.fields.stage?.value).toBe("Approval");
    expect(await readTimeline(workspaceId, "document", "doc_1", new Date(0).toISOString())).toBeNull();
  });
});
