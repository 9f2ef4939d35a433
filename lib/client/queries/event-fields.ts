import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetcher";
import type { EventSummary } from "#lib/contracts/events/events";
import { KEYS } from "./keys.ts";

const FRESH_MS = 60_000;

const fieldsContract = contract(() => import("#lib/contracts/events/events"));

export const eventFieldsQuery = queryOptions({
  queryKey: KEYS.eventFields,
  queryFn: async ({ signal }) => (await apiFetch(fieldsContract("eventFieldList"), "/api/v1/events/fields", { signal })).data,
  staleTime: FRESH_MS,
});

/** Fields of one source's newest events. */
export const sourceFieldsQuery = (source: string) =>
  queryOptions({
    queryKey: [...KEYS.eventFields, source] as const,
    queryFn: async ({ signal }) =>
      (await apiFetch(fieldsContract("eventFieldList"), `/api/v1/events/fields?${new URLSearchParams({ source })}`, { signal })).data,
    staleTime: FRESH_MS,
  });

const valuesContract = contract(() => import("#lib/contracts/events/events"));

/** Time in which rows are collected for one request. Milliseconds. */
const GATHER_MS = 20;
const MAX_IDS = 50;

type Values = Record<string, string>;
type Asked = Pick<EventSummary, "id" | "source"> & { paths: string; resolve: (values: Values) => void; reject: (error: unknown) => void };

let asked: Asked[] = [];

/** A row's payload fields, requested with those of other rows. A stored event never changes. */
export const eventValuesQuery = ({ id, source }: Pick<EventSummary, "id" | "source">, paths: string[]) =>
  queryOptions({
    queryKey: [...KEYS.eventValues, source, id, ...paths] as const,
    queryFn: () =>
      new Promise<Values>((resolve, reject) => {
        if (asked.length === 0) setTimeout(readAsked, GATHER_MS);
        asked.push({ id, source, paths: paths.join("\n"), resolve, reject });
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });

function readAsked(): void {
  const all = Map.groupBy(asked, ({ paths }) => paths);
  asked = [];
  for (const [paths, rows] of all)
    for (let at = 0; at < rows.length; at += MAX_IDS) void readRows(paths.split("\n"), rows.slice(at, at + MAX_IDS));
}

async function readRows(paths: string[], rows: Asked[]): Promise<void> {
  const query = new URLSearchParams([...rows.map(({ id }) => ["id", id]), ...paths.map((path) => ["path", path])]);
  try {
    const { data } = await apiFetch(valuesContract("eventValuesList"), `/api/v1/events/values?${query}`);
    for (const row of rows) row.resolve(data.find(({ id, source }) => id === row.id && source === row.source)?.values ?? {});
  } catch (error) {
    for (const row of rows) row.reject(error);
  }
}
