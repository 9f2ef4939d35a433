import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EventField, type EventValues, MAX_VALUE_PATHS } from "#lib/contracts/events/events";
import { isObject } from "#lib/contracts/exact-json";
import { pool } from "#lib/db/pool";
import { listByIds, listMatching } from "#lib/events/log/event-body-store";
import { readingOf, readStored } from "#lib/platform/read-event";
import { findReadings } from "#lib/sources/reading-store";
import { listSources } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";

const NEWEST = 100;

/** Returns the payload fields of the newest events, of all sources or one: at most 100 events, and 16 MB of bodies. */
export async function readEventFields(workspaceId: WorkspaceId, now: Date, source?: string): Promise<EventField[]> {
  const events = await listMatching(workspaceId, { source }, { limit: NEWEST, now });
  const readings = await findReadings(pool(), [...new Set(events.map(({ sourceId }) => sourceId))]);
  return fieldsOf(
    await mapInPieces(events, ({ body, sourceId }) => {
      const read = readStored(body, readingOf(readings, sourceId));
      return read.outcome === "data" ? read.data : undefined;
    }),
  );
}

const MAX_FIELDS = 100;
const MAX_DEPTH = 6;
/** Values that are read of one payload. */
const MAX_VALUES = 500;
/** A field with more values or longer ones is no choice among a few, but an ID or a name. */
const MAX_CHOICES = 8;
const MAX_CHOICE = 40;

/** A key that a search term can name. */
const KEY = /^[\p{L}\p{N}_-]+$/u;

type Values = { values: Set<string>; inList: boolean };
type Found = Values & { events: number };

/** Returns the fields of payloads as the search names them, the most frequent first, without list indexes. Pure. */
export function fieldsOf(payloads: unknown[]): EventField[] {
  const found = new Map<string, Found>();
  for (const payload of payloads) {
    const own = new Map<string, Values>();
    collect(payload, { path: "data", inList: false }, 0, own, { left: MAX_VALUES });
    for (const [path, { values, inList }] of own) {
      const before = found.get(path) ?? { events: 0, values: new Set<string>(), inList: false };
      found.set(path, { events: before.events + 1, values: before.values.union(values), inList: before.inList || inList });
    }
  }
  return [...found]
    .sort(([pathA, a], [pathB, b]) => b.events - a.events || (pathA < pathB ? -1 : 1))
    .slice(0, MAX_FIELDS)
    .map(([path, { values, inList }]) => ({ path, values: isChoice(values) ? [...values].sort() : [], inList }));
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
  const [events, sources] = await Promise.all([listByIds(workspaceId, ids), listSources(workspaceId)]);
  const readings = await findReadings(pool(), [...new Set(events.map(({ sourceId }) => sourceId))]);
  const names = new Map<string, string>(sources.map(({ id, name }) => [id, name]));
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
