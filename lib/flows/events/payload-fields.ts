import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EventField, type EventValues, MAX_VALUE_PATHS } from "#lib/contracts/events/events";
import { isObject } from "#lib/contracts/exact-json";
import { pool } from "#lib/db/pool";
import { tellableValues } from "#lib/event-types/live-field";
import { partsOfPath } from "#lib/event-types/paths";
import { ENUM_AFTER } from "#lib/event-types/schema";
import { type LearntField, listLearntFields } from "#lib/event-types/schema-store";
import { listByIds, listMatching } from "#lib/events/log/event-body-store";
import { readingOf, readStored } from "#lib/platform/read-event";
import { findReadings, findReadingsByName } from "#lib/sources/reading-store";
import { listSourceNames } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";

const NEWEST = 100;

/**
 * Returns the payload fields that a search can name, those of most events first: as they were learnt of the types received last, and as the
 * newest 100 events have them (at most 16 MB of bodies) where their type is not learnt yet, or never is. @param source only of its events
 */
export async function readEventFields(workspaceId: WorkspaceId, now: Date, source?: string): Promise<EventField[]> {
  const sourceId = source === undefined ? null : ((await findReadingsByName(workspaceId, [source]))[0]?.id ?? "");
  const [learnt, newest] = await Promise.all([
    listLearntFields(workspaceId, sourceId),
    listMatching(workspaceId, { source }, { limit: NEWEST, now }),
  ]);
  const known = new Set(learnt.filter(({ events }) => events >= ENUM_AFTER).map(typeKey));
  const events = newest.filter((event) => !known.has(typeKey(event)));
  const readings = await findReadings(pool(), [...new Set(events.map(({ sourceId }) => sourceId))]);
  const payloads = await mapInPieces(events, ({ body, sourceId }) => {
    const read = readStored(body, readingOf(readings, sourceId));
    return read.outcome === "data" ? read.data : undefined;
  });
  return fieldsOf(payloads, learnt);
}

const typeKey = ({ sourceId, type }: { sourceId: string; type: string }) => `${sourceId} ${type}`;

const MAX_FIELDS = 200;
const MAX_DEPTH = 6;
/** Values that are read of one payload. */
const MAX_VALUES = 500;
/** A field with more values or longer ones is no choice among a few, but an ID or a name. */
const MAX_CHOICES = 8;
const MAX_CHOICE = 40;

/** A key that a search term can name. */
const KEY = /^[\p{L}\p{N}_-]+$/u;

type Values = { values: Set<string>; inList: boolean };
/** `values` null: no choice among a few. */
type Found = { events: number; values: ReadonlySet<string> | null; inList: boolean };

/** Returns the fields of payloads, and those learnt, as the search names them: without list indexes and keys that are data. Pure. */
export function fieldsOf(payloads: unknown[], learnt: LearntField[] = []): EventField[] {
  const found = new Map<string, Found>();
  const add = (path: string, { events, values, inList }: Found) => {
    const before = found.get(path) ?? { events: 0, values: new Set(), inList: false };
    const both = before.values && values && new Set([...before.values, ...values]);
    found.set(path, { events: before.events + events, values: both, inList: before.inList || inList });
  };
  for (const field of learnt) {
    const path = termPath(field.path);
    if (path === null) continue;
    add(path, { events: Math.min(field.n, field.events), values: choicesOf(field), inList: field.path.includes("[]") });
  }
  for (const [path, { values, ...seen }] of collected(payloads)) add(path, { ...seen, values: isChoice(values) ? values : null });
  return [...found]
    .sort(([pathA, a], [pathB, b]) => b.events - a.events || (pathA < pathB ? -1 : 1))
    .slice(0, MAX_FIELDS)
    .map(([path, { values, inList }]) => ({ path, values: [...(values ?? [])].sort(), inList }));
}

/** `data.items.sku` of `data.items[].sku`; null for a path that no search term can name. */
function termPath(path: string): string | null {
  const parts = (partsOfPath(path) ?? []).filter(({ kind }) => kind !== "element");
  const keys = parts.map((part) => (part.kind === "key" && KEY.test(part.key) ? part.key : null));
  return keys.length === 0 || keys.length > MAX_DEPTH || keys.includes(null) ? null : ["data", ...keys].join(".");
}

/** Of a field with too few values to tell, those of recent events are taken. */
function choicesOf({ events, types, ...field }: LearntField): Found["values"] {
  const only = types.filter((type) => type !== "null").join();
  if (only === "boolean") return new Set(["true", "false"]);
  if (events < ENUM_AFTER) return new Set();
  const values = only === "string" ? tellableValues(field)?.map(({ text }) => text) : undefined;
  return values ? new Set(values.filter((text) => text !== "" && !text.includes('"'))) : null;
}

function collected(payloads: unknown[]): Map<string, Values & { events: number }> {
  const found = new Map<string, Values & { events: number }>();
  for (const payload of payloads) {
    const own = new Map<string, Values>();
    collect(payload, { path: "data", inList: false }, 0, own, { left: MAX_VALUES });
    for (const [path, { values, inList }] of own) {
      const before = found.get(path) ?? { events: 0, values: new Set<string>(), inList: false };
      found.set(path, { events: before.events + 1, values: before.values.union(values), inList: before.inList || inList });
    }
  }
  return found;
}

type Place = { path: string; inList: boolean };

function collect(value: unknown, { path, inList }: Place, depth: number, own: Map<string, Values>, bound: { left: number }): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || bound.left <= 0) return;
  bound.left -= 1;
  if (Array.isArray(value)) for (const each of value) collect(each, { path, inList: true }, depth + 1, own, bound);
  else if (isObject(value)) {
    for (const [key, part] of Object.entries(value))
      if (KEY.test(key)) collect(part, { path: `${path}.${key}`, inList }, depth + 1, own, bound);
  } else if (depth > 0) {
    const before = own.get(path) ?? { values: new Set<string>(), inList };
    const text = String(value).slice(0, MAX_CHOICE + 1);
    own.set(path, { values: before.values.add(text.toWellFormed()), inList: before.inList || inList });
  }
}

const isChoice = (values: Set<string>) =>
  values.size <= MAX_CHOICES && [...values].every((value) => value !== "" && value.length <= MAX_CHOICE && !value.includes('"'));

const MAX_TEXT = 200;
const MAX_OF_LIST = 5;

/** Returns payload fields as text, without events past the first 16 MB of bodies. @param paths as `data.status`, without list indexes */
export async function readEventValues(workspaceId: WorkspaceId, ids: string[], paths: string[]): Promise<EventValues[]> {
  const [events, names] = await Promise.all([listByIds(workspaceId, ids), listSourceNames(workspaceId)]);
  const readings = await findReadings(pool(), [...new Set(events.map(({ sourceId }) => sourceId))]);
  return mapInPieces(events, ({ eventId, sourceId, body }) => {
    const read = readStored(body, readingOf(readings, sourceId));
    const payload = { data: read.outcome === "data" ? read.data : undefined };
    const values = paths.slice(0, MAX_VALUE_PATHS).map((path) => [path, textAt(payload, path)] as const);
    return { id: eventId, source: names.get(sourceId) ?? sourceId, values: Object.fromEntries(values.filter(([, text]) => text !== "")) };
  });
}

export function textAt(payload: unknown, path: string): string {
  const found = valuesAt(payload, path.split("."));
  const more = found.length > MAX_OF_LIST ? ` and ${found.length - MAX_OF_LIST} more` : "";
  return `${found.slice(0, MAX_OF_LIST).join(", ").slice(0, MAX_TEXT)}${more}`.toWellFormed();
}

function valuesAt(value: unknown, keys: string[]): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, keys));
  const [key, ...rest] = keys;
  if (!isObject(value)) return key === undefined ? [String(value)] : [];
  return key !== undefined && Object.hasOwn(value, key) ? valuesAt(Reflect.get(value, key), rest) : [];
}
