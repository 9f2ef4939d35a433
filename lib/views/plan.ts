import type { ResourceRef } from "#lib/contracts/events";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, FIELD_NAMES, readFact, readId } from "#lib/platform/field-names";
import type { Effects, ViewDefinition } from "./definition.ts";
import { DEFINITIONS } from "./definitions.ts";
import type { Mode, Register } from "./register.ts";
import { storable, storableText } from "./storable.ts";

/** An event as the views read it. */
export type FoldableEvent = {
  eventId: string;
  type: string;
  /** Unix seconds. */
  created: number;
  data: Record<string, unknown>;
};

/** One write to one register. */
export type Write = { field: string; register: Register; mode: Mode };

/** All that an event does to one record. */
export type Touch = { kind: ViewKind; id: string; writes: Write[] };

export type Plan =
  | { outcome: "touches"; touches: Touch[]; refs: ResourceRef[] }
  | { outcome: "cannot_apply"; code: "missing_id"; text: string };

/** An identifier is an index key: a longer one is cut (an assumption: 400 characters). */
const MAX_ID = 400;
const MAX_REST = 40;

/**
 * What an event does to the views: a pure function of the event alone. An
 * event of a type that no view knows touches nothing.
 */
export function planEvent(event: FoldableEvent): Plan {
  const touches: Touch[] = [];
  for (const definition of Object.values(DEFINITIONS)) {
    const effects = definition.types[event.type];
    if (!effects) continue;
    const id = idOf(definition, event.data);
    if (id !== undefined) touches.push({ kind: definition.kind, id, writes: writesOf(definition, effects, event) });
    else if (effects.required) return missingId(definition, event.type);
  }
  return { outcome: "touches", touches, refs: refsOf(event.data, touches) };
}

function missingId(definition: ViewDefinition, type: string): Plan {
  const tried = definition.id.flatMap((fact) => FIELD_NAMES[fact]).map((path) => `data.${path}`);
  return {
    outcome: "cannot_apply",
    code: "missing_id",
    text: `${type} names no ${definition.kind}: none of ${tried.join(", ")} holds an id.`,
  };
}

function idOf(definition: ViewDefinition, data: Record<string, unknown>): string | undefined {
  for (const fact of definition.id) {
    const id = readId(data, fact);
    if (id !== undefined) return storableText(id).slice(0, MAX_ID).toWellFormed();
  }
  return undefined;
}

function writesOf(definition: ViewDefinition, effects: Effects, event: FoldableEvent): Write[] {
  const writer = (v: unknown): Register => ({ v, at: event.created, rank: effects.rank, id: event.eventId });
  const used = new Set<string>();
  const writes: Write[] = [];
  const write = (field: string, fact: FactName | "created", mode: Mode) => {
    const found = fact === "created" ? { value: isoOf(event.created), path: "" } : readFact(event.data, fact);
    if (!found) return;
    used.add(found.path.split(".")[0] ?? "");
    writes.push({ field, register: writer(storable(found.value)), mode });
  };
  if (effects.state) writes.push({ field: "state", register: writer(effects.state), mode: "last" });
  for (const [field, fact] of Object.entries(effects.set ?? {})) write(field, fact, "last");
  for (const [field, fact] of Object.entries(effects.first ?? {})) write(field, fact, "first");
  for (const fact of definition.stages ?? []) writes.push(...stageWrites(event.data, fact, writer));
  if (definition.keepsRest) writes.push(...restWrites(definition, event.data, used, writer));
  return writes;
}

/** A stage is remembered by its first sight; a move's origin comes before its goal. */
function stageWrites(data: Record<string, unknown>, fact: FactName, writer: (v: unknown) => Register): Write[] {
  const name = readId(data, fact);
  if (name === undefined) return [];
  const register = writer(fact === "fromStage" ? 0 : 1);
  return [{ field: `stage:${storableText(name).slice(0, 200).toWellFormed()}`, register, mode: "first" }];
}

/** Fields that no view knows are shown under their own names instead of being dropped. */
function restWrites(
  definition: ViewDefinition,
  data: Record<string, unknown>,
  used: Set<string>,
  writer: (v: unknown) => Register,
): Write[] {
  const known = new Set([...used, ...definition.id.flatMap((fact) => FIELD_NAMES[fact].map((path) => path.split(".")[0] ?? ""))]);
  return Object.entries(data)
    .filter(([key]) => !known.has(key))
    .slice(0, MAX_REST)
    .map(([key, value]) => ({
      field: `data.${storableText(key).slice(0, 100).toWellFormed()}`,
      register: writer(storable(value)),
      mode: "last",
    }));
}

/** Everything the event speaks of: what it touches, and what it only names. */
function refsOf(data: Record<string, unknown>, touches: Touch[]): ResourceRef[] {
  const refs = new Map(touches.map(({ kind, id }) => [`${kind} ${id}`, { kind: kind as string, id }]));
  const documentId = readId(data, "documentId");
  if (documentId !== undefined) {
    const id = storableText(documentId).slice(0, MAX_ID).toWellFormed();
    refs.set(`document ${id}`, { kind: "document", id });
  }
  return [...refs.values()];
}

/** Unix seconds as ISO 8601; null for a moment that no calendar has. */
export function isoOf(seconds: number): string | null {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
