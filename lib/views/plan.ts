import type { ResourceRef } from "#lib/contracts/events";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, FIELD_NAMES, findId, readFact, readId } from "#lib/platform/field-names";
import { type Effects, STAGE_PREFIX, type ViewDefinition } from "./definition.ts";
import { DEFINITIONS } from "./definitions.ts";
import type { Register } from "./register.ts";
import { restOf } from "./rest-fields.ts";
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
export type Write = { field: string; register: Register };

/** All that an event does to one record. */
export type Touch = { kind: ViewKind; id: string; writes: Write[] };

export type Plan =
  | { outcome: "touches"; touches: Touch[]; refs: ResourceRef[] }
  | { outcome: "cannot_apply"; code: "missing_id"; text: string };

/** An identifier is an index key: a longer one is cut (an assumption: 400 characters). */
const MAX_ID = 400;

/**
 * What an event does to the views: a pure function of the event alone. An
 * event of a type that no view knows touches nothing.
 */
export function planEvent(event: FoldableEvent): Plan {
  const touches: Touch[] = [];
  for (const definition of Object.values(DEFINITIONS)) {
    const effects = definition.types[event.type];
    if (!effects) continue;
    const found = idOf(definition, event.data);
    if (found) touches.push({ kind: definition.kind, id: found.id, writes: writesOf(definition, effects, event, found.path) });
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

/** The record that the event speaks of, and where in the data its id stands. */
function idOf(definition: ViewDefinition, data: Record<string, unknown>): { id: string; path: string } | undefined {
  for (const fact of definition.id) {
    const found = findId(data, fact);
    if (found !== undefined) return { id: keyText(found.id), path: found.path };
  }
  return undefined;
}

function writesOf(definition: ViewDefinition, effects: Effects, event: FoldableEvent, idPath: string): Write[] {
  const writer = (v: unknown): Register => ({ v, at: event.created, rank: effects.rank, id: event.eventId });
  const used = [idPath];
  const writes: Write[] = [];
  if (effects.state) writes.push({ field: "state", register: writer(effects.state) });
  for (const [field, fact] of Object.entries(effects.set ?? {})) {
    const found = fact === "created" ? { value: isoOf(event.created), path: "" } : readFact(event.data, fact);
    if (!found) continue;
    used.push(found.path);
    writes.push({ field, register: writer(storable(found.value)) });
  }
  for (const fact of definition.stages ?? []) writes.push(...stageWrites(event.data, fact, writer));
  if (definition.keepsRest)
    writes.push(...restOf(event.data, used).map(({ field, value }) => ({ field, register: writer(storable(value)) })));
  return writes;
}

/** A stage is remembered by its first sight; a move's origin comes before its goal. */
function stageWrites(data: Record<string, unknown>, fact: FactName, writer: (v: unknown) => Register): Write[] {
  const name = readId(data, fact);
  if (name === undefined) return [];
  return [{ field: `${STAGE_PREFIX}${storableText(name).slice(0, 200).toWellFormed()}`, register: writer(fact === "fromStage" ? 0 : 1) }];
}

/** What an event may name without touching it: a document by a task, a task by an automation's run. */
const NAMED: Partial<Record<ViewKind, FactName>> = {
  document: "documentId",
  task: "taskId",
  pipeline: "pipelineId",
  automation: "automationId",
};

/** Everything the event speaks of: what it touches, and what it only names. */
function refsOf(data: Record<string, unknown>, touches: Touch[]): ResourceRef[] {
  const refs = new Map(touches.map(({ kind, id }) => [`${kind} ${id}`, { kind: kind as string, id }]));
  for (const [kind, fact] of Object.entries(NAMED)) {
    const named = readId(data, fact);
    if (named !== undefined) refs.set(`${kind} ${keyText(named)}`, { kind, id: keyText(named) });
  }
  return [...refs.values()];
}

const keyText = (id: string) => storableText(id).slice(0, MAX_ID).toWellFormed();

/** Unix seconds as ISO 8601; null for a moment that no calendar has. */
export function isoOf(seconds: number): string | null {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
