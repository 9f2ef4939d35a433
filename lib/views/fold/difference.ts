import type { ViewDifference } from "#lib/contracts/view-rebuilds";
import type { ViewKind } from "#lib/contracts/views";
import { repaired } from "#lib/views/stored-record";
import { mergeRecords } from "./fold.ts";
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

/** The live registers that the log's fold does not have so, by field: each must be explained or corrected. */
export function unexplainedRegisters({ live, rebuilt }: Compared): [field: string, Register][] {
  if (!live) return [];
  return differingFields(live, rebuilt ?? {}).flatMap((field): [string, Register][] => {
    const register = live[field];
    return register ? [[field, register]] : [];
  });
}

/**
 * The rebuilt record with what can't be made again: live registers whose events
 * the log no longer holds are merged in, as if those events had been folded too.
 *
 * @param isGone whether the log has let go of the event that set a register
 */
export function carryOver(compared: Compared, isGone: (register: Register) => boolean): { rebuilt: Registers | null; carried: number } {
  const { kind, rebuilt } = compared;
  const gone = unexplainedRegisters(compared).filter(([, register]) => isGone(register));
  const carried = gone.length;
  return { carried, rebuilt: carried === 0 ? rebuilt : mergeRecords(kind, rebuilt ?? {}, repaired(kind, Object.fromEntries(gone))) };
}
