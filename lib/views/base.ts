import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { DEFINITIONS, modeOf } from "./definitions.ts";
import { mergeRecords } from "./fold/fold.ts";
import { FoldBuffer } from "./fold/fold-buffer.ts";
import type { Touch } from "./fold/plan.ts";
import type { Register, Registers } from "./fold/register.ts";
import { clearingRegister, LEFT_OUT } from "./fold/settled-fields.ts";

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

/** Gathers the effects on records of events that leave the log. */
export class BaseFold {
  private readonly workspaces = new Map<WorkspaceId, { buffer: FoldBuffer; times: Map<string, { first: number; last: number }> }>();

  add(workspaceId: WorkspaceId, touches: Touch[], bytes: number): void {
    const own = this.workspaces.get(workspaceId) ?? { buffer: new FoldBuffer(), times: new Map() };
    this.workspaces.set(workspaceId, own);
    const written = touches.filter(({ writes }) => writes.length > 0);
    own.buffer.add(written, bytes);
    for (const { kind, id, writes } of written) {
      const key = `${kind} ${id}`;
      const at = writes[0]?.register.at ?? 0;
      const { first, last } = own.times.get(key) ?? { first: at, last: at };
      own.times.set(key, { first: Math.min(first, at), last: Math.max(last, at) });
    }
  }

  drain(): [WorkspaceId, Base[]][] {
    return [...this.workspaces].map(([workspaceId, { buffer, times }]) => [
      workspaceId,
      buffer.drain().map((view) => {
        const { first, last } = times.get(`${view.kind} ${view.id}`) ?? { first: 0, last: 0 };
        return { ...view, firstAt: first, knownFrom: last };
      }),
    ]);
  }
}
