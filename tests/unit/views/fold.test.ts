import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { NO_MAPPING } from "#lib/platform/field-names";
import type { DEFINITIONS } from "#lib/views/definitions";
import { applyTouch, recordOf } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { PLATFORM_KINDS, reshuffled } from "#tests/support/random-events";

/** All views that a sequence of events makes, as one canonical text. */
function foldAll(events: FoldableEvent[]): string {
  const views = new Map<string, { kind: keyof typeof DEFINITIONS; id: string; registers: Registers }>();
  for (const event of events) {
    const plan = planEvent(event, NO_MAPPING);
    if (plan.outcome !== "touches") continue;
    for (const touch of plan.touches) {
      const key = `${touch.kind} ${touch.id}`;
      views.set(key, { kind: touch.kind, id: touch.id, registers: applyTouch(views.get(key)?.registers ?? {}, touch) });
    }
  }
  const records = [...views.values()].map(({ kind, id, registers }) => recordOf(kind, id, registers));
  return JSON.stringify(records.sort((a, b) => (`${a.kind}${a.id}` < `${b.kind}${b.id}` ? -1 : 1)));
}

const ids = fc.constantFrom("a", "b");
/** Few ids, few moments and few event ids, so that ties and collisions are common. */
const anyEvent: fc.Arbitrary<FoldableEvent> = fc.record({
  eventId: fc.constantFrom("evt_1", "evt_2", "evt_3", "evt_4"),
  type: fc.constantFrom(...EVENT_TYPES),
  created: fc.integer({ min: 100, max: 103 }),
  data: fc.record(
    {
      documentId: ids,
      taskId: ids,
      pipelineId: ids,
      automationId: ids,
      runId: ids,
      integrationId: ids,
      stage: fc.constantFrom("Inbox", "Review", "Done"),
      fromStage: fc.constantFrom("Inbox", "Review"),
      name: fc.string({ maxLength: 5 }),
      status: fc.constantFrom("completed", "other"),
      error: fc.string({ maxLength: 5 }),
      odd: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  ),
});

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]));
}

describe("the fold", () => {
  it("gives the identical views for 1,000 random shuffles with repetitions, over every kind", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.nat()), (events, numbers) => {
        for (const event of events) {
          const plan = planEvent(event, NO_MAPPING);
          if (plan.outcome === "touches") for (const { kind } of plan.touches) kinds.add(kind);
        }
        expect(foldAll(reshuffled(events, numbers))).toBe(foldAll(events));
      }),
      { numRuns: 1000 },
    );
    expect([...kinds].sort()).toEqual(PLATFORM_KINDS.toSorted());
  });

  it("gives the identical view for every permutation of five events of one second, each twice", () => {
    const data = { taskId: "t", pipelineId: "p" };
    const scenario: FoldableEvent[] = [
      { eventId: "evt_1", type: "task.created", created: 5, data: { ...data, title: "Check", stage: "Inbox" } },
      { eventId: "evt_2", type: "ai.classification_complete", created: 5, data: { ...data, classification: "invoice" } },
      { eventId: "evt_3", type: "task.assigned", created: 5, data: { ...data, assignee: "Ada" } },
      { eventId: "evt_4", type: "pipeline.stage_changed", created: 5, data: { ...data, fromStage: "Inbox", toStage: "Done" } },
      { eventId: "evt_5", type: "task.completed", created: 5, data },
    ];
    const folded = permutations(scenario).map((order) => foldAll([...order, ...order]));
    expect(folded).toHaveLength(120);
    expect(new Set(folded).size).toBe(1);
    const [task] = (JSON.parse(folded[0] ?? "[]") as { kind: string; state: string; fields: Record<string, { value: unknown }> }[]).filter(
      ({ kind }) => kind === "task",
    );
    expect(task?.state).toBe("completed");
    expect(task?.fields.stage?.value).toBe("Done");
    expect(task?.fields.assignee?.value).toBe("Ada");
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
      expect(JSON.parse(foldAll(order))[0].state).toBe("deleted");
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
    const [document] = JSON.parse(foldAll(events)) as { label: string; fields: Record<string, { value: unknown; eventId: string }> }[];
    expect(document?.label).toBe("a.pdf");
    expect(document?.fields.name?.eventId).toBe("evt_1");
    expect(document?.fields.pages).toMatchObject({ value: 3, eventId: "evt_2" });
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
