import { queryOptions } from "@tanstack/react-query";
import { connection } from "#lib/client/connection";
import type { SCHEMA_FORMATS } from "#lib/contracts/event-types";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { call, reading, readingPages, readingRows, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Statistics are written every 10 seconds. Milliseconds. */
const POLL_MS = 10_000;

export const eventTypesQuery = { ...readingRows(KEYS.eventTypes, "GET /api/v1/event-types"), refetchInterval: POLL_MS };

export const eventTypeQuery = (id: string) => ({
  ...reading([...KEYS.eventTypes, id], "GET /api/v1/event-types/{id}", { id }),
  refetchInterval: POLL_MS,
});

export const schemaHistoryQuery = (id: string) =>
  readingPages([...KEYS.eventTypes, id, "history"], "GET /api/v1/event-types/{id}/history", { id, query: { limit: 50 } });

export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

/** `pinned`, `observed`, or the number of a version. */
export type SchemaChoice = "observed" | "pinned" | number;

export const schemaPath = (id: string, choice: SchemaChoice, format: SchemaFormat): string =>
  `/api/v1/event-types/${encodeURIComponent(id)}/schema?format=${format}&${typeof choice === "number" ? "version" : "from"}=${choice}`;

/** A type's schema as text: code, or JSON Schema. */
export const schemaTextQuery = (id: string, choice: SchemaChoice, format: SchemaFormat) =>
  queryOptions({
    queryKey: [...KEYS.eventTypes, id, "schema", choice, format] as const,
    queryFn: ({ signal }) => readText(schemaPath(id, choice, format), signal),
  });

export const fieldSchemaQuery = (id: string, choice: SchemaChoice) =>
  queryOptions({ ...schemaTextQuery(id, choice, "json-schema"), select: (text: string) => JSON.parse(text) as FieldSchema });

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await connection.watched(fetch(url, { signal }), ({ status }) => status >= 500);
  if (response.ok) return response.text();
  const problem: { detail?: string } = await response.json().catch(() => ({}));
  throw new Error(problem.detail ?? `The server returned ${response.status} without a reason. Try again.`);
}

export type FieldChange = { path: string; ignored?: boolean; map?: boolean; notEnumeration?: boolean };
export type Pin = { pinned?: boolean; version?: number; jsonSchema?: Record<string, unknown>; file?: string };

/** What a person can do to an event type. Each shows its result in the lists and on its page. */
export function useEventTypeActions(id: string) {
  const shown = [KEYS.eventTypes, KEYS.issues, KEYS.issue, KEYS.counts];
  const accept = useChange(
    (drifts?: string[]) => call("POST /api/v1/event-types/{id}/accept", { id, body: drifts ? { drifts } : {} }),
    shown,
  );
  const change = useChange((body: FieldChange) => call("POST /api/v1/event-types/{id}/ignore", { id, body }), shown);
  const publish = useChange(() => call("POST /api/v1/event-types/{id}/publish", { id }), shown);
  const pin = useChange((body: Pin) => call("POST /api/v1/event-types/{id}/pin", { id, body }), shown);
  const relearn = useChange(() => call("POST /api/v1/event-types/{id}/relearn", { id }), shown);
  return { accept, change, publish, pin, relearn };
}
