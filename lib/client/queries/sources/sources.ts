import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { sourcesQuery } from "#lib/client/queries/auth/settings";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreateSourceBody } from "#lib/contracts/sources/sources";

const sourcesContract = contract(() => import("#lib/contracts/sources/sources"));
const templatesContract = contract(() => import("#lib/contracts/sources/templates"));

const sourceTemplatesQuery = queryOptions({
  queryKey: [...KEYS.settings, "source-templates"] as const,
  queryFn: async ({ signal }) => (await apiFetch(templatesContract("sourceTemplateList"), "/api/v1/source-templates", { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSourceTemplates = (enabled: boolean) => useQuery({ ...sourceTemplatesQuery, enabled });

export function useCreateSource() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateSourceBody) => apiSend(sourcesContract("createdSource"), "POST", "/api/v1/sources", body),
    // Not awaited: the dialog can't be closed before it shows the secret.
    onSuccess: () => void invalidate(queries, sourcesQuery.queryKey),
    gcTime: 0,
  });
}

export function useChangeSource(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeSourceBody) => apiSend(sourcesContract("source"), "PATCH", `/api/v1/sources/${encodeURIComponent(id)}`, body),
    onSuccess: () => invalidate(queries, sourcesQuery.queryKey),
  });
}

/** Tries a secret with every known scheme on the stored requests of a source whose sender is unknown. */
export const useLearnScheme = (id: string) =>
  useMutation({
    mutationFn: (secret: string) =>
      apiSend(sourcesContract("sourceLearning"), "POST", `/api/v1/sources/${encodeURIComponent(id)}/learn`, { secret }),
  });

const previewContract = contract(() => import("#lib/contracts/sources/reading-preview"));

export const useTryReading = (id: string) =>
  useMutation({
    mutationFn: (reading: EventReading | null) =>
      apiSend(previewContract("readingPreview"), "POST", `/api/v1/sources/${encodeURIComponent(id)}/reading/preview`, { reading }),
  });

const LOOK_AGAIN_MS = 2000;

export function useAwaitedSource(id: string): boolean {
  const { data } = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) => (state.data?.some((source) => source.id === id && source.lastEventAt !== null) ? false : LOOK_AGAIN_MS),
  });
  return data?.some((source) => source.id === id && source.lastEventAt !== null) ?? false;
}
