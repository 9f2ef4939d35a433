import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { DEFINITIONS } from "./definitions.ts";
import { isoOf, type Touch } from "./plan.ts";
import { merge, type Register, type Registers } from "./register.ts";

/**
 * Applies one event's writes to a record. Pure, commutative and idempotent:
 * any order with any repetition gives the same registers.
 */
export function applyTouch(registers: Registers, touch: Touch): Registers {
  const next: Registers = { ...registers };
  const { terminal } = DEFINITIONS[touch.kind];
  for (const { field, register, mode } of touch.writes) {
    const standing = next[field];
    next[field] = field === "state" ? mergeState(standing, register, terminal) : merge(standing, register, mode);
  }
  return next;
}

/** A terminal state outranks any other, whenever it came; among equals the last writer wins. */
function mergeState(standing: Register | undefined, writer: Register, terminal: string[]): Register {
  if (!standing) return writer;
  const [standingEnds, writerEnds] = [terminal.includes(String(standing.v)), terminal.includes(String(writer.v))];
  if (standingEnds !== writerEnds) return writerEnds ? writer : standing;
  return merge(standing, writer, "last");
}

/** What lists and filters need, derived from the registers alone. */
export type Summary = { state: string; failed: boolean; parent: string | null; lastCreated: number };

export function summarize(kind: ViewKind, registers: Registers): Summary {
  const definition = DEFINITIONS[kind];
  const state = String(registers.state?.v ?? "unknown");
  const parent = definition.parent ? registers[definition.parent]?.v : undefined;
  return {
    state,
    failed: definition.failed.includes(state),
    parent: parent === undefined || parent === null ? null : String(parent).slice(0, 400),
    lastCreated: Math.max(0, ...Object.values(registers).map(({ at }) => at)),
  };
}

/** A record as the API shows it. */
export function recordOf(kind: ViewKind, id: string, registers: Registers): ViewRecord {
  const { state, failed, parent, lastCreated } = summarize(kind, registers);
  const label = DEFINITIONS[kind].label.map((field) => registers[field]?.v).find((value) => typeof value === "string" && value !== "");
  const fields = Object.entries(registers).map(
    ([field, { v, at, id: eventId }]) => [field, { value: v, eventId, at: isoOf(at) ?? "" }] as const,
  );
  return {
    kind,
    id,
    label: typeof label === "string" ? label : id,
    state,
    failed,
    parent,
    fields: Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))),
    lastEventAt: isoOf(lastCreated) ?? "",
  };
}
