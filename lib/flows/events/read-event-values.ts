import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type EventValues, MAX_VALUE_PATHS } from "#lib/contracts/events/event-values";
import { isObject } from "#lib/contracts/json/exact-json";
import { pool } from "#lib/db/pool";
import { listByIds } from "#lib/events/log/newest-store";
import { readStored } from "#lib/platform/reading/read-event";
import { readingOf } from "#lib/platform/reading/source-reading";
import { findReadings } from "#lib/sources/reading-store";
import { listSources } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/pauses";

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
