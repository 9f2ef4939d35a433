import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "#lib/contracts/exact-json";
import type { ViewKind } from "#lib/contracts/views";
import { EVENT_TYPES } from "#lib/platform/event-catalogue";
import { DEFINITIONS } from "#lib/views/definitions";
import { mergeRecords } from "#lib/views/fold/fold";
import type { FoldableEvent } from "#lib/views/fold/plan";
import { canonicalText, type Registers } from "#lib/views/fold/register";
import { figure } from "#tests/support/figure";
import { foldRecord, permutations } from "#tests/support/fold-records";
import { PLATFORM_KINDS, reshuffled } from "#tests/support/random-events";
import { atSize } from "#tests/support/sample";

const RUNS = atSize(1000, 100);
const PERMUTED = atSize(5, 4);

const IDS = { documentId: "x", taskId: "x", pipelineId: "x", automationId: "x", runId: "x", integrationId: "x" };

const fold = (kind: ViewKind, events: FoldableEvent[]): Registers => foldRecord(kind, "x", events);

/** Any event that touches the record `x` of a kind: few moments, ids and values, so that ties are common. */
const anyEventOf = (kind: ViewKind): fc.Arbitrary<FoldableEvent> =>
  fc.record({
    eventId: fc.constantFrom("e1", "e2", "e3"),
    type: fc.constantFrom(...EVENT_TYPES.filter((type) => type in DEFINITIONS[kind].types)),
    created: fc.integer({ min: 1, max: 3 }),
    data: fc
      .record(
        {
          toStage: fc.constantFrom("A", "B"),
          fromStage: fc.constantFrom("A", "C"),
          name: fc.string({ maxLength: 3 }),
          metadata: fc.dictionary(fc.constantFrom("a", "b", "z"), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
          error: fc.oneof(fc.string({ maxLength: 3 }), fc.record({ code: fc.string({ maxLength: 2 }), more: fc.nat() })),
          odd: fc.jsonValue({ maxDepth: 2 }),
        },
        { requiredKeys: [] },
      )
      .map((data) => ({ ...IDS, ...data })),
  });

/** Every choice of some of the items, the empty one included. */
const subsets = <T>(items: T[]): T[][] => items.reduce<T[][]>((sets, item) => sets.concat(sets.map((set) => set.concat([item]))), [[]]);

describe.each(PLATFORM_KINDS)("a %s", (kind) => {
  const types = EVENT_TYPES.filter((type) => type in DEFINITIONS[kind].types);

  it("is the same for all permutations of events of one second, with every choice of them repeated", () => {
    const scenario = Array.from(
      { length: PERMUTED },
      (_, n): FoldableEvent => ({
        eventId: `e${n}`,
        type: types[n % types.length] ?? "",
        created: 5,
        data: {
          ...IDS,
          name: `name ${n}`,
          toStage: `S${n % 3}`,
          fromStage: `S${(n + 1) % 3}`,
          error: { code: `c${n}`, more: n },
          odd: [n],
        },
      }),
    );
    const orders = permutations(scenario).flatMap((order) => subsets(order).map((again) => [...order, ...again.reverse()]));
    const made = new Set(orders.map((order) => canonicalText(fold(kind, order))));
    expect(orders).toHaveLength(PERMUTED === 5 ? 120 * 32 : 24 * 16);
    expect(made.size).toBe(1);
    figure(`${kind}: ${orders.length} orders of ${PERMUTED} events with repetitions, ${made.size} view`);
  });

  it("is the same for 1,000 random shuffles with repetitions", () => {
    const check = fc.property(
      fc.array(anyEventOf(kind), { minLength: 1, maxLength: 10 }),
      fc.infiniteStream(fc.nat()),
      (events, numbers) => {
        expect(canonicalText(fold(kind, reshuffled(events, numbers)))).toBe(canonicalText(fold(kind, events)));
      },
    );
    fc.assert(check, { numRuns: RUNS });
    figure(`${kind}: ${RUNS} random shuffles with repetitions, the identical view`);
  });

  it("folded in parts and merged is folded whole: in any grouping, in any order, and also after a round trip through storage", () => {
    const some = fc.array(anyEventOf(kind), { maxLength: 6 });
    // jsonb gives keys back in another order: so does this.
    const stored = (registers: Registers): Registers => parseExact(canonicalText(registers)) as Registers;
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        const whole = canonicalText(fold(kind, [...a, ...b, ...c]));
        const [x, y, z] = [stored(fold(kind, a)), fold(kind, b), stored(fold(kind, c))];
        expect(canonicalText(mergeRecords(kind, mergeRecords(kind, x, y), z))).toBe(whole);
        expect(canonicalText(mergeRecords(kind, x, mergeRecords(kind, z, y)))).toBe(whole);
        expect(canonicalText(mergeRecords(kind, mergeRecords(kind, z, x), mergeRecords(kind, x, y)))).toBe(whole);
      }),
      { numRuns: RUNS / 2 },
    );
  });
});

describe("what no view has understood", () => {
  const restOf = (type: string, data: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(fold("task", [{ eventId: "e", type, created: 1, data }]))
        .filter(([field]) => field.startsWith("data."))
        .map(([field, { v }]) => [field, v]),
    );

  it("is shown under the platform's own names, also the other parts of an object that holds known fields", () => {
    const data = { task: { id: "x", priority: "high" }, assignee: { name: "Ada", id: "u1" }, taskId: "x", colour: "red" };
    expect(restOf("task.assigned", data)).toEqual({
      "data.task.priority": "high",
      "data.colour": "red",
    });
    expect(restOf("task.assigned", { task: { id: "x", priority: "high" } })).toEqual({ "data.task.priority": "high" });
  });

  it("is bounded, and the bound says how much more there is", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]));
    const rest = restOf("task.created", { taskId: "x", ...many });
    expect(Object.keys(rest)).toHaveLength(40);
    expect(rest["data.…"]).toBe("61 more fields: see the event");
  });
});
