import { isDeepStrictEqual } from "node:util";
import type { DryRunSample } from "#lib/contracts/redeliveries";
import type { ViewDifference, ViewKind } from "#lib/contracts/views";
import { applyTouch } from "./fold/fold.ts";
import type { Touch } from "./fold/plan.ts";
import { canonicalText, type Register, type Registers } from "./fold/register.ts";
import { isFree } from "./fold/settled-fields.ts";

type DryRunResult = { outcome: Exclude<DryRunSample["outcome"], "still_fails">; changes: DryRunSample["changes"] };

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

export type Compared = { kind: ViewKind; id: string; live: Registers | null; rebuilt: Registers | null };

const sideOf = (register: Register | undefined) => (register ? { value: register.v, eventId: register.id, at: register.at } : null);

export function differencesOf({ kind, id, live, rebuilt }: Compared): ViewDifference[] {
  if (!live || !rebuilt) return live === rebuilt ? [] : [{ kind, id, field: "*", live: stateOf(live), rebuilt: stateOf(rebuilt) }];
  return differingFields(live, rebuilt).map((field) => ({ kind, id, field, live: sideOf(live[field]), rebuilt: sideOf(rebuilt[field]) }));
}

function differingFields(live: Registers, rebuilt: Registers): string[] {
  const fields = [...new Set([...Object.keys(live), ...Object.keys(rebuilt)])].sort();
  return fields.filter((field) => canonicalText(live[field] ?? null) !== canonicalText(rebuilt[field] ?? null));
}

/** A whole record is represented by its state, or by any field. */
const stateOf = (registers: Registers | null) => (registers ? sideOf(registers.state ?? Object.values(registers)[0]) : null);
