import { describe, expect, it } from "vitest";
import { NO_MAPPING } from "#lib/platform/field-names";
import { applyTouch, summarize } from "#lib/views/fold/fold";
import { RecordFold } from "#lib/views/fold/fold-buffer";
import { planEvent, type Touch } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";
import { expectPace } from "#tests/support/pace";
import { randomEvents } from "#tests/support/random-events";

/** More than a call takes arguments. */
const MANY_FIELDS = 200_000;

const touchesOf = (events: number, seed: number): Touch[] =>
  randomEvents(events, seed).flatMap((event) => {
    const plan = planEvent(event, NO_MAPPING);
    return plan.outcome === "touches" ? plan.touches : [];
  });

describe("a fold of many events of one record", () => {
  it.each([1, 2, 3, 7, 64, 250])("gives what %i events give one after the other", (count) => {
    for (const kind of ["document", "task", "automation"] as const) {
      const touches = touchesOf(1500, 11 + count)
        .filter((touch) => touch.kind === kind)
        .slice(0, count);
      const fold = new RecordFold(kind);
      for (const touch of touches) fold.add(touch);
      expect(fold.result()).toEqual(touches.reduce<Registers>(applyTouch, {}));
    }
  });

  it("copies a field a few times, not once for every event that follows", () => {
    const fold = new RecordFold("document");
    const since = performance.now();
    for (let n = 0; n < 2000; n += 1) {
      const register = { v: n, at: n, rank: 20, id: `evt_${n}` };
      fold.add({
        kind: "document",
        id: "doc",
        writes: Array.from({ length: 39 }, (_, field) => ({ field: `data.${n}_${field}`, register })),
      });
    }
    expect(Object.keys(fold.result()).length).toBeGreaterThan(0);
    // Each event copied all fields before they were bounded: half a minute.
    expectPace(performance.now() - since, 10_000);
  }, 120_000);
});

it("a record of any number of fields is summarized", () => {
  const registers: Registers = Object.fromEntries(
    Array.from({ length: MANY_FIELDS }, (_, n) => [`data.${n}`, { v: n, at: n, rank: 1, id: "evt" }]),
  );
  expect(summarize("document", registers).lastCreated).toBe(MANY_FIELDS - 1);
});
