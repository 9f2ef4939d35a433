import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ChartRange } from "#lib/contracts/events/event-times";
import { changing, changingSecret, reading, readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";

export const apiKeysQuery = readingRows([...KEYS.settings, "keys"], "GET /api/v1/api-keys");

export const sourcesQuery = readingRows([...KEYS.settings, "sources"], "GET /api/v1/sources");

const DELAY_MS = 60_000;

export const sourceDelayQuery = (id: string, range: ChartRange) => ({
  ...reading([...KEYS.settings, "delay", id, range], "GET /api/v1/sources/{id}/delay", { id, query: { range } }),
  placeholderData: keepPreviousData,
  refetchInterval: DELAY_MS,
  staleTime: DELAY_MS,
});

export const useApiKeys = () => useQuery(apiKeysQuery);
export const useSources = () => useQuery(sourcesQuery);

export const useCreateApiKey = changingSecret("POST /api/v1/api-keys", [apiKeysQuery.queryKey]);
export const useRevokeApiKey = changing("DELETE /api/v1/api-keys/{id}", [apiKeysQuery.queryKey]);

/** Rotates a signing secret; the old one stays valid for the overlap. Only this response has the new one. */
export const useRotateSecret = changingSecret("POST /api/v1/sources/{id}/rotate", [sourcesQuery.queryKey]);
