import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MISSING_EVENT_FILTERS } from "#lib/contracts/missing-event-filters";
import type { ViewRecord } from "#lib/contracts/views";
import { type Arrival, type Cadence, detectSilence, recordArrival } from "#lib/missing-events/cadence";
import { evaluateRules, type Move } from "#lib/missing-events/rules";
import { DEFINITIONS } from "#lib/views/definitions";
import { viewRecord } from "#tests/support/view-record";

const field = (eventId: string) => ({ value: "x", eventId, at: "2026-11-21T08:00:00.000Z" });
const record = (kind: ViewRecord["kind"], fields: ViewRecord["fields"], state = "open") =>
  viewRecord({ kind, id: `${kind}_1`, fields, state });
const suspected = (view: ViewRecord, moves: Move[] = []) =>
  evaluateRules(view, moves).flatMap(({ rule, candidate }) => (candidate ? [rule] : []));

const created = (stage: string | null): Move => ({ eventId: "c", fromStage: null, stage, creates: true, at: 1 });
const moved = (fromStage: string | null, stage: string | null, at = 2): Move => ({
  eventId: `m${at}`,
  fromStage,
  stage,
  creates: false,
  at,
});

describe("the rules", () => {
  it.each([
    ["completed_never_created", "task", ["completedAt"]],
    ["processed_never_uploaded", "document", ["processedAt", "failedAt"]],
    ["run_without_end", "run", ["startedAt"]],
  ] as const)("%s is titled after every event type that raises it", (rule, kind, fields) => {
    const types = Object.entries(DEFINITIONS[kind].types).filter(([, { set }]) => fields.some((name) => Object.hasOwn(set ?? {}, name)));
    expect(types.length).toBeGreaterThan(0);
    for (const [type] of types) expect(MISSING_EVENT_FILTERS.rule.choices[rule]).toContain(type);
  });

  it("miss what must come before", () => {
    expect(suspected(record("task", { completedAt: field("e") }))).toEqual(["completed_never_created"]);
    expect(suspected(record("task", { completedAt: field("e"), createdAt: field("c") }))).toEqual([]);
    expect(suspected(record("document", { failedAt: field("e") }))).toEqual(["processed_never_uploaded"]);
    expect(suspected(record("document", { deletedAt: field("e") }))).toEqual([]);
    expect(suspected(record("run", { startedAt: field("e") }, "running"))).toEqual(["run_without_end"]);
    expect(suspected(record("run", { startedAt: field("e") }, "error"))).toEqual([]);
    expect(suspected(record("pipeline", {}))).toEqual([]);
  });

  it("miss the entering of a stage that was left, and forgive the first one of a task whose making named none", () => {
    const task = record("task", {});
    expect(suspected(task, [created("Inbox"), moved("Review", "Paid")])).toEqual(["stage_never_entered"]);
    expect(suspected(task, [created("Inbox"), moved("Inbox", "Paid")])).toEqual([]);
    expect(suspected(task, [created(null), moved("Inbox", "Review"), moved("Review", "Paid", 3)])).toEqual([]);
    expect(suspected(task, [created(null), moved("Inbox", "Review"), moved("Approval", "Paid", 3)])).toEqual(["stage_never_entered"]);
    expect(suspected(task, [moved(null, "Paid")])).toEqual([]);
  });
});

const HOUR = 3600;
const NOW = 1_790_000_000;
const every = (seconds: number, count: number, last: number): Arrival[] =>
  Array.from({ length: count }, (_, n) => ({
    eventId: `e${n}`,
    created: last - (count - 1 - n) * seconds,
    receivedAt: (last - (count - 1 - n) * seconds) * 1000,
  }));

describe("the pace of a source", () => {
  it("knows no silence before it knows a pace, nor within ten minutes, ten pauses or three of the longest", () => {
    expect(detectSilence(recordArrival(null, every(60, 19, NOW)) as Cadence, (NOW + HOUR) * 1000)).toBeNull();
    const pace = recordArrival(null, every(120, 30, NOW)) as Cadence;
    expect(detectSilence(pace, (NOW + 1199) * 1000)).toBeNull();
    expect(detectSilence(pace, (NOW + 1201) * 1000)).toEqual({ usualSeconds: 120, since: NOW * 1000 });
    const uneven = recordArrival(pace, every(60, 2, NOW + HOUR)) as Cadence;
    expect(detectSilence(uneven, (NOW + 3 * HOUR) * 1000)).toBeNull();
  });

  it("takes an hour for quiet in which the source said nothing a day and a week ago", () => {
    const day = 24 * HOUR;
    const active = recordArrival(null, every(120, 60, NOW)) as Cadence;
    const withYesterday = (offset: number) => recordArrival(active, every(HOUR, 3, NOW - day + offset)) as Cadence;
    const at = (NOW + 2 * HOUR) * 1000;
    // Yesterday it spoke at this time; the long pause since then is far behind the newest hundred times.
    const { times, arrivals } = active;
    const speaks = { ...withYesterday(2 * HOUR), times, arrivals };
    const sleeps = { ...withYesterday(-6 * HOUR), times, arrivals };
    expect(detectSilence(speaks, at)).not.toBeNull();
    expect(detectSilence(sleeps, at)).toBeNull();
  });

  it("is the same however often and in whatever order events are heard, and believes no absurd time", () => {
    const events = every(90, 40, NOW);
    const whole = recordArrival(null, events);
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 80 }), (shuffled) => {
        const halves = recordArrival(recordArrival(null, shuffled.slice(0, 30)), shuffled.slice(30));
        expect(halves).toEqual(whole);
      }),
      { numRuns: 100 },
    );
    const odd = recordArrival(whole, [{ eventId: "odd", created: Number.MAX_SAFE_INTEGER, receivedAt: NOW * 1000 }]);
    expect(odd?.times).toEqual(whole?.times);
  });

  it("is silent since the last arrival, whatever times the events have", () => {
    const pace = recordArrival(null, every(120, 60, NOW - 5 * HOUR)) as Cadence;
    // Five hours of events come within two minutes, in the order in which they happened.
    const late = Array.from({ length: 100 }, (_, n) => ({
      eventId: `late_${n}`,
      created: NOW - 5 * HOUR + 120 * (n + 1),
      receivedAt: (NOW - 120 + n) * 1000,
    }));
    for (const upTo of [1, 50, 100]) {
      const during = recordArrival(pace, late.slice(0, upTo)) as Cadence;
      expect(detectSilence(during, during.lastReceivedAt + 1000)).toBeNull();
    }
    const after = recordArrival(pace, late) as Cadence;
    // The catch-up is no new pace of a second: it is silent after ten of its usual pauses.
    expect(detectSilence(after, after.lastReceivedAt + 1_100_000)).toBeNull();
    expect(detectSilence(after, after.lastReceivedAt + 1_201_000)).toEqual({ usualSeconds: 120, since: after.lastReceivedAt });
    const old = recordArrival(pace, [{ eventId: "old", created: NOW - 60 * 24 * HOUR, receivedAt: NOW * 1000 }]) as Cadence;
    expect(detectSilence(old, (NOW + 60) * 1000)).toBeNull();
  });

  it("takes the pauses between arrivals for usual where events are collected and sent together", () => {
    const collected = Array.from({ length: 25 }, (_, hour) =>
      every(60, 60, NOW + hour * HOUR).map((each) => ({
        ...each,
        eventId: `${hour}_${each.eventId}`,
        receivedAt: (NOW + hour * HOUR) * 1000,
      })),
    );
    const pace = recordArrival(null, collected.flat()) as Cadence;
    expect(detectSilence(pace, (NOW + 25 * HOUR) * 1000 - 1000)).toBeNull();
    expect(detectSilence(pace, (NOW + 36 * HOUR) * 1000)?.usualSeconds).toBe(HOUR);
  });
});
