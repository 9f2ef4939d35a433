import { isDeepStrictEqual } from "node:util";
import type { DryRunSample } from "#lib/contracts/redeliveries";
import { applyTouch } from "./fold/fold.ts";
import { isFree } from "./fold/free-fields.ts";
import type { Touch } from "./fold/plan.ts";
import type { Registers } from "./fold/register.ts";

export type DryRunResult = { outcome: Exclude<DryRunSample["outcome"], "still_fails">; changes: DryRunSample["changes"] };

/** Tries an event on records without writing any: `registersOf` returns the record before, `keep` gets it afterwards. */
export function dryRun(
  eventId: string,
  touches: Touch[],
  registersOf: (touch: Touch) => Registers,
  keep: (touch: Touch, registers: Registers) => void,
): DryRunResult {
  if (touches.length === 0) return { outcome: "no_view", changes: [] };
  const changes: DryRunResult["changes"] = [];
  let stands = false;
  for (const touch of touches) {
    const before = registersOf(touch);
    const after = applyTouch(before, touch);
    // A value that the event clears is a change too; a free field that gives way to another is none.
    const ended = Object.keys(before).filter((field) => !after[field] && !isFree(field));
    for (const field of [...touch.writes.map((write) => write.field), ...ended]) {
      const [was, is] = [before[field], after[field]];
      if (was?.id === eventId) stands = true;
      // By value: the database keeps an object's keys in an order of its own.
      if (isDeepStrictEqual(was, is)) continue;
      changes.push({ kind: touch.kind, resourceId: touch.id, field, before: was?.v ?? null, after: is?.v ?? null });
    }
    keep(touch, after);
  }
  if (changes.length > 0) return { outcome: "would_change", changes };
  return { outcome: stands ? "applied_already" : "stale", changes };
}
