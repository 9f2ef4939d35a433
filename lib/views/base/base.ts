import type { ViewKind } from "#lib/contracts/views";
import { modeOf } from "#lib/views/definition/definition";
import { DEFINITIONS } from "#lib/views/definition/definitions";
import { clearingRegister } from "#lib/views/fold/cleared-fields";
import { mergeRecords } from "#lib/views/fold/fold";
import { LEFT_OUT } from "#lib/views/fold/free-fields";
import type { Touch } from "#lib/views/fold/plan";
import type { Register, Registers } from "#lib/views/fold/register";

/** Result of a record's events that have left the log: merged with those of the log it is the whole record. */
export type Base = {
  kind: ViewKind;
  id: string;
  registers: Registers;
  /** Time of the earliest of these events, Unix seconds; null where some left before bases were kept. */
  firstAt: number | null;
  /** From this moment on `registers` are all that these events said; before it, some values had been others. */
  knownFrom: number;
};

export const mergeBases = (a: Base, b: Base): Base => ({
  ...a,
  registers: mergeRecords(a.kind, a.registers, b.registers),
  firstAt: a.firstAt === null || b.firstAt === null ? null : Math.min(a.firstAt, b.firstAt),
  knownFrom: Math.max(a.knownFrom, b.knownFrom),
});

type EarlierBase = {
  /** Null where none of its events had happened yet. */
  registers: Registers | null;
  /** Fields whose earlier value is unknown: an event that has left the log replaced it later. */
  unknown: string[];
  whole: boolean;
};

const NOT_YET: EarlierBase = { registers: null, unknown: [], whole: true };

/** Returns a base as of a moment (`isLater`). The earlier value of a field that was set later is unknown, unless the first writer wins. */
export function baseAt(base: Base, isLater: (at: Pick<Register, "at"> & Partial<Register>) => boolean): EarlierBase {
  const { kind, registers, firstAt, knownFrom } = base;
  if (firstAt !== null && isLater({ at: firstAt })) return NOT_YET;
  if (!isLater({ at: knownFrom }) && !Object.values(registers).some(isLater)) return { registers, unknown: [], whole: true };
  const definition = DEFINITIONS[kind];
  const kept = Object.entries(registers).filter(([field, register]) => field === LEFT_OUT || !isLater(register));
  const replaced = Object.keys(registers).filter(
    (field) => field !== LEFT_OUT && modeOf(definition, field) === "last" && isLater(registers[field] as Register),
  );
  const cleared = Object.values(definition.types)
    .flatMap(({ clears = [] }) => clears)
    .filter((field) => {
      const clearing = clearingRegister(definition, registers, field);
      return clearing !== undefined && isLater(clearing);
    });
  return { registers: Object.fromEntries(kept), unknown: [...new Set([...replaced, ...cleared])], whole: false };
}

/** Returns a base as of a moment in Unix seconds, inclusive. */
export const baseAsOf = (base: Base, until: number): EarlierBase => baseAt(base, ({ at }) => at > until);

/** Merges an earlier base with the events of the log up to then; null where there was no record yet. */
export function withBase(kind: ViewKind, { registers, unknown }: EarlierBase, kept: Registers | null): Registers | null {
  if (registers === null) return kept;
  const merged = mergeRecords(kind, registers, kept ?? {});
  for (const field of unknown) delete merged[field];
  return merged;
}

/** Returns a base as touches of single events, as far as known, to be folded among the events of the log. */
export function touchesOfBase({ kind, id }: Pick<Base, "kind" | "id">, registers: Registers): Touch[] {
  const events = new Map<string, Touch>();
  for (const [field, register] of Object.entries(registers)) {
    const key = `${register.at} ${register.rank} ${register.id}`;
    const touch = events.get(key) ?? { kind, id, writes: [] };
    touch.writes.push({ field, register });
    events.set(key, touch);
  }
  return [...events.values()];
}
