import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import type { ViewKind } from "#lib/contracts/views";
import { canonicalText, type Register, type Registers } from "./register.ts";

/** A record as the views have it and as the log makes it; null where one side has none. */
export type Compared = { kind: ViewKind; id: string; live: Registers | null; rebuilt: Registers | null };

const sideOf = (register: Register | undefined) => (register ? { value: register.v, eventId: register.id, at: register.at } : null);

/** Field by field what differs; nothing when the two are the same to the byte. */
export function differencesOf({ kind, id, live, rebuilt }: Compared): ViewDifference[] {
  if (!live || !rebuilt) return live === rebuilt ? [] : [{ kind, id, field: "*", live: stateOf(live), rebuilt: stateOf(rebuilt) }];
  return differingFields(live, rebuilt).map((field) => ({ kind, id, field, live: sideOf(live[field]), rebuilt: sideOf(rebuilt[field]) }));
}

/** The fields of which either side has another register. */
function differingFields(live: Registers, rebuilt: Registers): string[] {
  const fields = [...new Set([...Object.keys(live), ...Object.keys(rebuilt)])].sort();
  return fields.filter((field) => canonicalText(live[field] ?? null) !== canonicalText(rebuilt[field] ?? null));
}

/** A whole record stands for itself by its state, or by whatever field it has. */
const stateOf = (registers: Registers | null) => (registers ? sideOf(registers.state ?? Object.values(registers)[0]) : null);
