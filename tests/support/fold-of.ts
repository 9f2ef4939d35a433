import { type ViewRecord, viewKind } from "#lib/contracts/views";
import { NO_MAPPING } from "#lib/platform/field-names";
import { applyTouch, recordOf } from "#lib/views/fold/fold";
import { type FoldableEvent, planEvent } from "#lib/views/fold/plan";
import type { Registers } from "#lib/views/fold/register";

/** The records that these events alone make, without any of the product's reading. */
export function foldOf(events: FoldableEvent[]): Map<string, ViewRecord> {
  const registers = new Map<string, Registers>();
  for (const event of events) {
    const plan = planEvent(event, NO_MAPPING);
    if (plan.outcome !== "touches") continue;
    for (const touch of plan.touches) {
      const key = `${touch.kind} ${touch.id}`;
      registers.set(key, applyTouch(registers.get(key) ?? {}, touch));
    }
  }
  return new Map(
    [...registers].map(([key, each]) => {
      const [kind = "", id = ""] = key.split(" ");
      return [key, recordOf(viewKind.parse(kind), id, each)];
    }),
  );
}
