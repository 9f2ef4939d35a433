import type { ResourceRef } from "#lib/contracts/events/events";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, findId, pathsOf, readId } from "#lib/platform/field-names";
import { type Effects, STAGE_PREFIX, type ViewDefinition } from "#lib/views/definition/definition";
import { DEFINITIONS } from "#lib/views/definition/definitions";
import { payloadWrites } from "./payload-writes.ts";
import type { Register } from "./register.ts";
import { registerText } from "./storable.ts";

export type FoldableEvent = {
  eventId: string;
  type: string;
  /** The time that orders it, Unix seconds, from `eventSeconds` (lib/platform/event-time.ts). */
  created: number;
  data: Record<string, unknown>;
};

export type Write = { field: string; register: Register };

export type Touch = { kind: ViewKind; id: string; writes: Write[] };

export type Plan =
  | { outcome: "touches"; touches: Touch[]; refs: ResourceRef[] }
  | { outcome: "cannot_apply"; code: "missing_id"; text: string };

/** An ID is an index key: a longer one is cut (an assumption: 400 characters). */
const MAX_ID = 400;

/** Plans the effects of an event on the views, a pure function. An unknown type touches nothing. */
export function planEvent(event: FoldableEvent, mapping: FieldMapping): Plan {
  const touches: Touch[] = [];
  for (const definition of Object.values(DEFINITIONS)) {
    const effects = definition.types[event.type];
    if (!effects) continue;
    const found = idOf(definition, event.data, mapping);
    if (found) touches.push({ kind: definition.kind, id: found.id, writes: writesOf(definition, effects, event, found.path, mapping) });
    else if (effects.required) return missingId(definition, event.type, mapping);
  }
  return { outcome: "touches", touches, refs: refsOf(event.data, touches, mapping) };
}

function missingId(definition: ViewDefinition, type: string, mapping: FieldMapping): Plan {
  const tried = definition.id.flatMap((fact) => pathsOf(fact, mapping)).map((path) => `data.${path}`);
  return {
    outcome: "cannot_apply",
    code: "missing_id",
    text: `${type} has no ${definition.kind} ID (checked: ${tried.join(", ")})`,
  };
}

function idOf(definition: ViewDefinition, data: Record<string, unknown>, mapping: FieldMapping): { id: string; path: string } | undefined {
  for (const fact of definition.id) {
    const found = findId(data, fact, mapping);
    if (found !== undefined) return { id: keyText(found.id), path: found.path };
  }
  return undefined;
}

function writesOf(definition: ViewDefinition, effects: Effects, event: FoldableEvent, idPath: string, mapping: FieldMapping): Write[] {
  const writer = (v: unknown): Register => ({ v, at: event.created, rank: effects.rank, id: event.eventId });
  const writes: Write[] = [];
  if (effects.state) writes.push({ field: "state", register: writer(effects.state) });
  for (const [field, fact] of Object.entries(effects.set ?? {}))
    if (fact === "created") writes.push({ field, register: writer(isoOf(event.created)) });
  const declared = (field: string) => Object.hasOwn(effects.set ?? {}, field);
  for (const { field, value } of payloadWrites(definition, declared, event.data, idPath, mapping))
    writes.push({ field, register: writer(value) });
  for (const fact of definition.stages ?? []) writes.push(...stageWrites(fact, readId(event.data, fact, mapping), writer));
  return writes;
}

/** A stage keeps its first sight; a move's origin comes before its goal. */
function stageWrites(fact: FactName, name: string | undefined, writer: (v: unknown) => Register): Write[] {
  if (name === undefined) return [];
  return [{ field: `${STAGE_PREFIX}${registerText(name).slice(0, 200).toWellFormed()}`, register: writer(fact === "fromStage" ? 0 : 1) }];
}

/** Facts that an event may name without changing their record: a document by a task, a task by an automation's run. */
const NAMED: Partial<Record<ViewKind, FactName>> = {
  document: "documentId",
  task: "taskId",
  pipeline: "pipelineId",
  automation: "automationId",
};

function refsOf(data: Record<string, unknown>, touches: Touch[], mapping: FieldMapping): ResourceRef[] {
  const refs = new Map(touches.map(({ kind, id }) => [`${kind} ${id}`, { kind: kind as string, id }]));
  for (const [kind, fact] of Object.entries(NAMED)) {
    const named = readId(data, fact, mapping);
    if (named !== undefined) refs.set(`${kind} ${keyText(named)}`, { kind, id: keyText(named) });
  }
  return [...refs.values()];
}

export const keyText = (id: string) => registerText(id).slice(0, MAX_ID).toWellFormed();

/** Events that come together were often made in the same second. */
let lastIso: { seconds: number; iso: string | null } = { seconds: Number.NaN, iso: null };

/** Returns Unix seconds as ISO 8601; null for a moment outside the calendar. */
export function isoOf(seconds: number): string | null {
  if (seconds !== lastIso.seconds) {
    const at = new Date(seconds * 1000);
    lastIso = { seconds, iso: Number.isNaN(at.getTime()) ? null : at.toISOString() };
  }
  return lastIso.iso;
}
