import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch, apiSend, contract } from "#lib/client/fetch/fetcher";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";

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
      apiSend(fieldMappingContract("fieldMappingPreview"), "POST", `${path(sourceId)}/preview`, {
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
