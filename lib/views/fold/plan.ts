import type { ResourceRef } from "#lib/contracts/events/events";
import { idText } from "#lib/contracts/exact-numbers";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { DOCUMENT_STATES } from "#lib/contracts/sources/record-settings";
import type { ViewKind } from "#lib/contracts/views";
import { type FactName, findId, pathsOf, readId, valueAt } from "#lib/platform/field-names";
import type { GenericRecords } from "#lib/platform/read-event";
import { DEFINITIONS, type Effects, STAGE_PREFIX, type ViewDefinition } from "#lib/views/definitions";
import { payloadWrites, restOf } from "./payload-writes.ts";
import { FREE_BYTES, NAMED_BYTES, type Register, registerText, storable, within } from "./register.ts";

export type FoldableEvent = {
  eventId: string;
  type: string;
  /** The time that orders it, Unix seconds, from `eventSeconds` (lib/platform/event-time.ts). */
  created: number;
  data: Record<string, unknown>;
};

type Write = { field: string; register: Register };

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
    if (found)
      touches.push({
        kind: definition.kind,
        id: ownId(definition.kind, found.id),
        writes: writesOf(definition, effects, event, found.path, mapping),
      });
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
    const id = named && ownId(kind, keyText(named));
    if (id) refs.set(`${kind} ${id}`, { kind, id });
  }
  return [...refs.values()];
}

/** IDs of other platforms' documents. */
const OTHERS_DOCUMENT = /^source-[a-z0-9][a-z0-9-]*:document:/;

/** Keeps the platform's events from other platforms' documents, whatever ID they name. */
const ownId = (kind: string, id: string): string => (kind === "document" && OTHERS_DOCUMENT.test(id) ? keyText(`platform:${id}`) : id);

const keyText = (id: string) => registerText(id).slice(0, MAX_ID).toWellFormed();

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

const MAX_STATE = 100;

/** Plans an event by its source's setting: a record of its own, or another platform's document. One without the setting's ID touches nothing. */
export function planGeneric(event: FoldableEvent, settings: GenericRecords): Plan {
  const { eventId, created, data } = event;
  const { source, kind, id, ids = [], types, state, title, facts = {} } = settings;
  const idPath = [...ids, id].find((path) => idText(valueAt(data, path)) !== undefined);
  const found = idPath && idText(valueAt(data, idPath));
  if (found === undefined || !isMeant(event.type, types)) return { outcome: "touches", touches: [], refs: [] };
  const reached = stateOf(event, settings);
  const writer = (v: unknown): Register => ({ v, at: created, rank: rankOf(settings, reached.state), id: eventId });
  const named = title === undefined ? undefined : valueAt(data, title);
  const values: Record<string, unknown> = {
    source,
    recordId: found,
    state: reached.state,
    ...(settings.isDocument
      ? { name: named, senderState: reached.word, ...(reached.state && { [`${reached.state}At`]: isoOf(created) }) }
      : { kind, title: named }),
    ...Object.fromEntries(Object.entries(facts).map(([field, path]) => [field, valueAt(data, path)])),
  };
  const writes: Write[] = Object.entries(values).flatMap(([field, value]) =>
    value === undefined || value === null || value === "" ? [] : [{ field, register: writer(within(NAMED_BYTES, storable(value))) }],
  );
  const used = new Set([idPath, state, title, ...Object.values(facts)].filter((path) => path !== undefined));
  const containers = new Set([...used].flatMap(containersOf));
  for (const { field, value } of restOf(data, { paths: NONE, containers }, used))
    writes.push({ field, register: writer(within(FREE_BYTES, storable(value))) });
  const touched = settings.isDocument
    ? { kind: "document" as const, id: keyText(`source-${source}:document:${found}`) }
    : { kind: "record" as const, id: keyText(`${source}:${kind}:${found}`) };
  return { outcome: "touches", touches: [{ ...touched, writes }], refs: [touched] };
}

const NONE: ReadonlySet<string> = new Set();

/** Returns our state and the sender's word for it. A word that the settings don't know, such as a signer's event, changes no state. */
function stateOf({ type, data }: FoldableEvent, { state: path, states }: GenericRecords): { state?: string; word?: string } {
  const value = path === undefined ? undefined : valueAt(data, path);
  const word = typeof value === "boolean" ? String(value) : idText(value);
  if (states === undefined) return word === undefined ? {} : { state: stateText(word), word: stateText(word) };
  const known = [type, word].find((text) => text !== undefined && Object.hasOwn(states, text));
  const shown = word ?? known;
  return { ...(known !== undefined && { state: states[known] }), ...(shown !== undefined && { word: stateText(shown) }) };
}

const stateText = (text: string) => registerText(text).slice(0, MAX_STATE).toWellFormed();

const isMeant = (type: string, types: readonly string[] | undefined): boolean =>
  types === undefined || types.some((each) => (each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : each === type));

/** Orders the states that documents reach within one second. */
const rankOf = ({ isDocument }: GenericRecords, state: string | undefined): number => (isDocument ? RANKED.indexOf(state ?? "") + 1 : 0);

const RANKED: readonly string[] = DOCUMENT_STATES;

const containersOf = (path: string) =>
  path
    .split(".")
    .slice(1)
    .map((_, at) =>
      path
        .split(".")
        .slice(0, at + 1)
        .join("."),
    );
