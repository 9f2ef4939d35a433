import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import type { ViewKind } from "#lib/contracts/views";
import { canonicalText, type Register, type Registers } from "./register.ts";

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
