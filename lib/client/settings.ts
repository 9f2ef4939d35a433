import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend } from "#lib/client/fetcher";
import {
  apiKeyList,
  type CreateApiKeyBody,
  createdApiKey,
  type RotateSecretBody,
  rotatedSecret,
  sourceList,
} from "#lib/contracts/settings";

export const apiKeysQuery = queryOptions({
  queryKey: ["settings", "keys"] as const,
  queryFn: async ({ signal }) => (await apiFetch(apiKeyList, "/api/v1/api-keys", { signal })).data,
});

export const sourcesQuery = queryOptions({
  queryKey: ["settings", "sources"] as const,
  queryFn: async ({ signal }) => (await apiFetch(sourceList, "/api/v1/sources", { signal })).data,
});

export const useApiKeys = () => useQuery(apiKeysQuery);
export const useSources = () => useQuery(sourcesQuery);

/** Makes a key; its text is in this answer alone. */
export function useCreateApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateApiKeyBody) => apiSend(createdApiKey, "POST", "/api/v1/api-keys", body),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
    // The answer holds the key: it must not outlive the dialog that shows it.
    gcTime: 0,
  });
}

/** Revokes a key at once. */
export function useRevokeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend(null, "DELETE", `/api/v1/api-keys/${encodeURIComponent(id)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
}

/** Gives a source a new signing secret; the old one verifies on for the overlap. Its text is in this answer alone. */
export function useRotateSecret(sourceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RotateSecretBody) => apiSend(rotatedSecret, "POST", `/api/v1/sources/${encodeURIComponent(sourceId)}/rotate`, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: sourcesQuery.queryKey }),
    gcTime: 0,
  });
}
