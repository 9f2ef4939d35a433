import { queryOptions } from "@tanstack/react-query";
import type { EventSummary } from "#lib/contracts/events/events";
import { call, readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";

const FRESH_MS = 60_000;

export const eventFieldsQuery = { ...readingRows(KEYS.eventFields, "GET /api/v1/events/fields"), staleTime: FRESH_MS };

/** Fields of one source's newest events. */
export const sourceFieldsQuery = (source: string) => ({
  ...readingRows([...KEYS.eventFields, source], "GET /api/v1/events/fields", { query: { source } }),
  staleTime: FRESH_MS,
});

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
  try {
    const { data } = await call("GET /api/v1/events/values", { query: { id: rows.map(({ id }) => id), path: paths } });
    for (const row of rows) row.resolve(data.find(({ id, source }) => id === row.id && source === row.source)?.values ?? {});
  } catch (error) {
    for (const row of rows) row.reject(error);
  }
}
