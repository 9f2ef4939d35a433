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

/** Returns the payload fields of the newest events: at most 100 events, and 16 MB of bodies. */
export async function readEventFields(workspaceId: WorkspaceId, now: Date): Promise<EventField[]> {
  const events = await listMatching(workspaceId, {}, { limit: NEWEST, now });
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

type Found = { events: number; values: Set<string> };

/** Returns the fields of payloads as the search names them, the most frequent first, without list indexes. Pure. */
export function fieldsOf(payloads: unknown[]): EventField[] {
  const found = new Map<string, Found>();
  for (const payload of payloads) {
    const own = new Map<string, Set<string>>();
    collect(payload, "data", 0, own, { left: MAX_VALUES });
    for (const [path, values] of own) {
      const before = found.get(path) ?? { events: 0, values: new Set<string>() };
      before.events += 1;
      for (const value of values) before.values.add(value);
      found.set(path, before);
    }
  }
  return [...found]
    .sort(([pathA, a], [pathB, b]) => b.events - a.events || (pathA < pathB ? -1 : 1))
    .slice(0, MAX_FIELDS)
    .map(([path, { values }]) => ({ path, values: isChoice(values) ? [...values].sort() : [] }));
}

function collect(value: unknown, path: string, depth: number, own: Map<string, Set<string>>, bound: { left: number }): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || bound.left <= 0) return;
  bound.left -= 1;
  if (Array.isArray(value)) for (const each of value) collect(each, path, depth + 1, own, bound);
  else if (isObject(value)) {
    for (const [key, part] of Object.entries(value)) if (KEY.test(key)) collect(part, `${path}.${key}`, depth + 1, own, bound);
  } else if (depth > 0) {
    const values = own.get(path) ?? new Set<string>();
    own.set(
      path,
      values.add(
        String(value)
          .slice(0, MAX_CHOICE + 1)
          .toWellFormed(),
      ),
    );
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
