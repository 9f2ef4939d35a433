import type { ViewKind } from "#lib/contracts/views";
import { NO_MAPPING } from "#lib/platform/field-names";
import { applyTouch } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";

/** The record of a kind and id as these events make it, one after the other; empty when none touches it. */
export function foldRecord(kind: ViewKind, id: string, events: FoldableEvent[]): Registers {
  const touches = events.flatMap((event) => {
    const plan = planEvent(event, NO_MAPPING);
    return plan.outcome === "touches" ? plan.touches : [];
  });
  return touches.filter((touch) => touch.kind === kind && touch.id === id).reduce<Registers>(applyTouch, {});
}

/** All orders of a few items. */
export function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]));
}
