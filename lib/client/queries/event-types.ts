import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { connection } from "#lib/client/connection";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { Page } from "#lib/contracts/api/parameters";
import type { EventTypeItem, SCHEMA_FORMATS, SchemaChange } from "#lib/contracts/event-types";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import { invalidate, KEYS } from "./keys.ts";

const typesContract = contract(() => import("#lib/contracts/event-types"));

/** Statistics are written every 10 seconds. Milliseconds. */
const POLL_MS = 10_000;

const ROOT = "/api/v1/event-types";
const path = (id: string, part = "") => `${ROOT}/${encodeURIComponent(id)}${part}`;

export const eventTypesQuery = queryOptions({
  queryKey: KEYS.eventTypes,
  queryFn: async ({ signal }): Promise<EventTypeItem[]> => (await apiFetch(typesContract("eventTypeItems"), ROOT, { signal })).data,
  refetchInterval: POLL_MS,
});

export const eventTypeQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.eventTypes, id] as const,
    queryFn: ({ signal }) => apiFetch(typesContract("eventTypeDetail"), path(id), { signal }),
    refetchInterval: POLL_MS,
  });

export const schemaHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.eventTypes, id, "history"] as const,
    queryFn: ({ pageParam, signal }): Promise<Page<SchemaChange>> => {
      const cursor = pageParam === null ? "" : `&cursor=${encodeURIComponent(pageParam)}`;
      return apiFetch(typesContract("schemaHistoryPage"), path(id, `/history?limit=50${cursor}`), { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

/** `pinned`, `observed`, or the number of a version. */
export type SchemaChoice = "observed" | "pinned" | number;

export const schemaPath = (id: string, choice: SchemaChoice, format: SchemaFormat): string =>
  path(id, `/schema?format=${format}&${typeof choice === "number" ? `version=${choice}` : `from=${choice}`}`);

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
  const accept = useChange(id, "/accept", (drifts?: string[]) => (drifts ? { drifts } : {}));
  const change = useChange(id, "/ignore", (field: FieldChange) => field);
  const publish = useChange(id, "/publish", () => ({}));
  const pin = useChange(id, "/pin", (body: Pin) => body);
  const relearn = useChange(id, "/relearn", () => ({}));
  return { accept, change, publish, pin, relearn };
}

function useChange<In>(id: string, part: string, bodyOf: (input: In) => object) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: In) => apiSend(null, "POST", path(id, part), bodyOf(input)),
    onSettled: () => invalidate(queries, KEYS.eventTypes, KEYS.issues, KEYS.issue, KEYS.counts),
  });
}
