import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";
import { DEFINITIONS, FOLD_VERSION } from "#lib/views/definitions";
import { recordOf } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import { foldOf } from "#tests/support/fold-of";
import { foldRecord } from "#tests/support/fold-records";
import { randomEvents } from "#tests/support/random-events";

// That order and repetition change nothing is proved in fold-order.test.ts.
describe("the fold", () => {
  it("of five events of one second has the state, the stage and the person of those that rank highest", () => {
    const data = { taskId: "t", pipelineId: "p" };
    const scenario: FoldableEvent[] = [
      { eventId: "evt_5", type: "task.completed", created: 5, data },
      { eventId: "evt_1", type: "task.created", created: 5, data: { ...data, title: "Check", stage: "Inbox" } },
      { eventId: "evt_2", type: "ai.classification_complete", created: 5, data: { ...data, classification: "invoice" } },
      { eventId: "evt_3", type: "task.assigned", created: 5, data: { ...data, assignee: "Ada" } },
      { eventId: "evt_4", type: "pipeline.stage_changed", created: 5, data: { ...data, fromStage: "Inbox", toStage: "Done" } },
    ];
    const task = recordOf("task", "t", foldRecord("task", "t", scenario));
    expect(task).toMatchObject({ state: "completed", fields: { stage: { value: "Done" }, assignee: { value: "Ada" } } });
  });

  it("keeps a deleted document deleted, whatever comes later", () => {
    const deleted: FoldableEvent = { eventId: "evt_1", type: "document.deleted", created: 10, data: { documentId: "d" } };
    const late: FoldableEvent = {
      eventId: "evt_2",
      type: "document.processed",
      created: 20,
      data: { documentId: "d", status: "completed" },
    };
    for (const order of [
      [deleted, late],
      [late, deleted],
    ])
      expect(recordOf("document", "d", foldRecord("document", "d", order)).state).toBe("deleted");
  });

  it("says of every field which event set it", () => {
    const events: FoldableEvent[] = [
      { eventId: "evt_1", type: "document.uploaded", created: 1, data: { documentId: "d", name: "a.pdf" } },
      {
        eventId: "evt_2",
        type: "document.processed",
        created: 2,
        data: { documentId: "d", organizationId: "org_1", status: "completed", metadata: { pages: 3 } },
      },
    ];
    const document = recordOf("document", "d", foldRecord("document", "d", events));
    expect(document.label).toBe("a.pdf");
    expect(document.fields.name?.eventId).toBe("evt_1");
    expect(document.fields.pages).toMatchObject({ value: 3, eventId: "evt_2" });
  });
});

describe("planning an event", () => {
  it("can't apply an event that does not name its resource, and says which names it tried", () => {
    const plan = planEvent({ eventId: "evt_1", type: "document.processed", created: 1, data: { status: "completed" } }, NO_MAPPING);
    expect(plan).toMatchObject({ outcome: "cannot_apply", code: "missing_id" });
    expect(plan.outcome === "cannot_apply" && plan.text).toContain("data.documentId");
  });

  it("touches nothing for a type that no view knows", () => {
    expect(planEvent({ eventId: "evt_1", type: "moon.landed", created: 1, data: {} }, NO_MAPPING)).toEqual({
      outcome: "touches",
      touches: [],
      refs: [],
    });
  });

  it.each(EVENT_TYPES)("applies %s when its data names everything", (type) => {
    const data = { documentId: "d", taskId: "t", pipelineId: "p", automationId: "a", runId: "r", integrationId: "i" };
    const plan = planEvent({ eventId: "evt_1", type, created: 1, data }, NO_MAPPING);
    expect(plan.outcome === "touches" && plan.touches.length).toBeGreaterThan(0);
  });

  it("keeps fields that no view knows under their own names, made storable", () => {
    const plan = planEvent(
      {
        eventId: "evt_1",
        type: "document.uploaded",
        created: 1,
        data: { documentId: "d", colour: "re\u0000d", broken: "\ud800" },
      },
      NO_MAPPING,
    );
    const writes =
      plan.outcome === "touches" ? plan.touches.flatMap(({ writes }) => writes.map(({ field, register }) => [field, register.v])) : [];
    expect(writes).toContainEqual(["data.colour", "re\ufffdd"]);
    expect(writes).toContainEqual(["data.broken", "\ufffd"]);
  });
});

const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** Hashes that this version of the fold was raised for: the definitions, and the records that the fold makes of some events. */
const RAISED_FOR = { version: 3, definitions: "c041471128b03804", records: "0447744036a55026" };

it("the fold has a new version when it makes other records, so that updated installations rebuild theirs", () => {
  const records = [...foldOf(randomEvents(600, 7))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(records.length).toBeGreaterThan(100);
  const now = { version: FOLD_VERSION, definitions: hashOf(DEFINITIONS), records: hashOf(records) };
  expect(now, "raise FOLD_VERSION, and write all three here").toEqual(RAISED_FOR);
});
