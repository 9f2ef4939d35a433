import { describe, expect, it } from "vitest";
import { changeWords } from "#components/views/detail/event-timeline";
import { storyParts } from "#components/views/detail/story-sentence";
import type { ViewRecord } from "#lib/contracts/views";
import { viewRecord } from "#tests/support/view-record";

const record = (kind: ViewRecord["kind"], values: Record<string, unknown>): ViewRecord =>
  viewRecord({
    ...{ kind, label: "Approve invoice" },
    fields: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { value, eventId: "e1", at: "" }])),
  });

describe("a document's story", () => {
  it("goes from its upload to the last stage of its task", () => {
    const document = record("document", { uploadedAt: 1_795_000_000, processedAt: 1_795_000_040 });
    const task = record("task", { stage: "Paid", stageSince: 1_795_010_000 });
    expect(storyParts(document, [task]).map(({ words }) => words)).toEqual([
      "uploaded",
      "processed after 40 s",
      "became task",
      "moved to Paid",
    ]);
  });

  it("tells a failure and a deletion, and nothing of what no event said", () => {
    const document = record("document", { failedAt: 1_795_000_000, deletedAt: 1_795_000_500 });
    expect(storyParts(document, []).map(({ words }) => words)).toEqual(["failed", "deleted"]);
    expect(storyParts(record("document", {}), [])).toEqual([]);
  });
});

describe("what an event changed, in words", () => {
  it("names both sides, one side for what was new, and leaves out times and the platform's own fields", () => {
    expect(
      changeWords([
        { field: "stage", before: "Approval", after: "Paid" },
        { field: "assignee", before: null, after: "Ada" },
        { field: "errorMessage", before: "No text", after: null },
        { field: "stageSince", before: 1, after: 2 },
        { field: "fromStage", before: null, after: "Approval" },
        { field: "data.foo", before: 1, after: 2 },
      ]),
    ).toEqual(["Stage: Approval to Paid", "Assignee: Ada", "Last error: cleared"]);
  });
});
