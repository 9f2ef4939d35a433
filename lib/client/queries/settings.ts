import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { CreateApiKeyBody, RotateSecretBody } from "#lib/contracts/auth/settings";
import type { ChartRange } from "#lib/contracts/events/event-times";
import { invalidate, KEYS } from "./keys.ts";

const settingsContract = contract(() => import("#lib/contracts/auth/settings"));

const sourcesContract = contract(() => import("#lib/contracts/sources/sources"));

export const apiKeysQuery = queryOptions({
  queryKey: [...KEYS.settings, "keys"] as const,
  queryFn: async ({ signal }) => (await apiFetch(settingsContract("apiKeyList"), "/api/v1/api-keys", { signal })).data,
});

export const sourcesQuery = queryOptions({
  queryKey: [...KEYS.settings, "sources"] as const,
  queryFn: async ({ signal }) => (await apiFetch(sourcesContract("sourceList"), "/api/v1/sources", { signal })).data,
});

const DELAY_MS = 60_000;

export const sourceDelayQuery = (id: string, range: ChartRange) =>
  queryOptions({
    queryKey: [...KEYS.settings, "delay", id, range] as const,
    queryFn: ({ signal }) =>
      apiFetch(settingsContract("sourceDelay"), `/api/v1/sources/${encodeURIComponent(id)}/delay?range=${range}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: DELAY_MS,
    staleTime: DELAY_MS,
  });

export const useApiKeys = () => useQuery(apiKeysQuery);
export const useSources = () => useQuery(sourcesQuery);

export function useCreateApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateApiKeyBody) => apiSend(settingsContract("createdApiKey"), "POST", "/api/v1/api-keys", body),
    // Not awaited: the dialog can't be closed before it shows the key.
    onSuccess: () => void invalidate(queries, apiKeysQuery.queryKey),
    // The response contains the key, which must not outlive the dialog that shows it.
    gcTime: 0,
  });
}

export function useRevokeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/api-keys/${encodeURIComponent(id)}`),
    onSuccess: () => invalidate(queries, apiKeysQuery.queryKey),
  });
}

/** Rotates a signing secret; the old one stays valid for the overlap. Only this response has the new one. */
export function useRotateSecret(sourceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RotateSecretBody) =>
      apiSend(settingsContract("rotatedSecret"), "POST", `/api/v1/sources/${encodeURIComponent(sourceId)}/rotate`, body),
    onSuccess: () => void invalidate(queries, sourcesQuery.queryKey),
    gcTime: 0,
  });
}
