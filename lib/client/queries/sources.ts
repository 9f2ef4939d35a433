import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { apiAsk, apiFetch, apiSend, contract } from "#lib/client/fetcher";
import type { Page } from "#lib/contracts/api/parameters";
import type { Outage } from "#lib/contracts/outages";
import type { SignatureCheckBody } from "#lib/contracts/quarantine";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreateSourceBody } from "#lib/contracts/sources/sources";
import { invalidate, KEYS } from "./keys.ts";
import { sourcesQuery } from "./settings.ts";

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

/** The token doesn't stay in the browser's cache. */
export function useShowVerificationToken(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => apiSend(sourcesContract("verificationToken"), "POST", `/api/v1/sources/${encodeURIComponent(id)}/verification-token`),
    // Not awaited: the page would take the token away with the button.
    onSuccess: () => void invalidate(queries, sourcesQuery.queryKey),
    gcTime: 0,
  });
}

const previewContract = contract(() => import("#lib/contracts/sources/reading-preview"));

export const useTryReading = (id: string) =>
  useMutation({
    mutationFn: (reading: EventReading | null) =>
      apiAsk(previewContract("readingPreview"), `/api/v1/sources/${encodeURIComponent(id)}/reading/preview`, { reading }),
  });

const LOOK_AGAIN_MS = 2000;

export function useAwaitedSource(id: string): boolean {
  const { data } = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) => (state.data?.some((source) => source.id === id && source.lastEventAt !== null) ? false : LOOK_AGAIN_MS),
  });
  return data?.some((source) => source.id === id && source.lastEventAt !== null) ?? false;
}

const signatureChecksContract = contract(() => import("#lib/contracts/quarantine"));

/** Neither the secret nor the signature stays in the browser's cache. */
export const useCheckSignature = () =>
  useMutation({
    mutationFn: (body: SignatureCheckBody) => apiSend(signatureChecksContract("signatureCheck"), "POST", "/api/v1/signature-checks", body),
    gcTime: 0,
  });

const outagesContract = contract(() => import("#lib/contracts/outages"));

export const outagesQuery = infiniteQueryOptions({
  queryKey: [...KEYS.settings, "outages"] as const,
  queryFn: ({ pageParam, signal }): Promise<Page<Outage>> =>
    apiFetch(outagesContract("outagePage"), `/api/v1/outages${pageParam === null ? "" : `?cursor=${encodeURIComponent(pageParam)}`}`, {
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export const useOutages = () => useInfiniteQuery(outagesQuery);

export function useDismissOutages() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => apiSend(null, "POST", "/api/v1/outages/dismissals", { until }),
    onSuccess: () => invalidate(queries, outagesQuery.queryKey, KEYS.overview),
  });
}

const fieldMappingContract = contract(() => import("#lib/contracts/sources/field-mapping"));

const path = (sourceId: string) => `/api/v1/sources/${encodeURIComponent(sourceId)}/field-mapping`;

export const fieldMappingQuery = (sourceId: string) =>
  queryOptions({
    queryKey: [...KEYS.settings, "field-mapping", sourceId] as const,
    queryFn: ({ signal }) => apiFetch(fieldMappingContract("sourceFieldMapping"), path(sourceId), { signal }),
  });

/** Returns paths at which failed events of these issues have the missing IDs. */
export const fieldMappingSuggestionsQuery = (sourceId: string, issues: string[]) =>
  queryOptions({
    queryKey: [...KEYS.settings, "field-mapping-suggestions", sourceId, issues] as const,
    queryFn: ({ signal }) =>
      apiFetch(
        fieldMappingContract("fieldMappingSuggestions"),
        `${path(sourceId)}/suggestions?${new URLSearchParams(issues.map((id) => ["issue", id]))}`,
        { signal },
      ),
    // Never refetched: the user edits the rows from here on.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns the values that a mapping would read from stored events, compared with the saved one; failed events of `issues` first. */
export const fieldMappingPreviewQuery = (sourceId: string, mapping: FieldMapping, type: string | null, issues: string[]) =>
  queryOptions({
    queryKey: [...KEYS.settings, "field-mapping-preview", sourceId, mapping, type, issues] as const,
    queryFn: () =>
      apiAsk(fieldMappingContract("fieldMappingPreview"), `${path(sourceId)}/preview`, {
        mapping,
        ...(type !== null && { type }),
        ...(issues.length > 0 && { issues }),
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

export function useSaveFieldMapping(sourceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mapping: FieldMapping) => apiSend(fieldMappingContract("fieldMappingChanged"), "PUT", path(sourceId), { mapping }),
    onSuccess: () => invalidate(queries, KEYS.settings, KEYS.quarantine, KEYS.quarantined, KEYS.issues),
  });
}
