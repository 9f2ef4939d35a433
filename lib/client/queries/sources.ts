import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import { call, changing, changingSecret, reading, readingPages, readingRows } from "./api.ts";
import { KEYS } from "./keys.ts";
import { sourcesQuery } from "./settings.ts";

const sourceTemplatesQuery = {
  ...readingRows([...KEYS.settings, "source-templates"], "GET /api/v1/source-templates"),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useSourceTemplates = (enabled: boolean) => useQuery({ ...sourceTemplatesQuery, enabled });

export const useCreateSource = changingSecret("POST /api/v1/sources", [sourcesQuery.queryKey]);
export const useChangeSource = changing("PATCH /api/v1/sources/{id}", [sourcesQuery.queryKey]);

/** Tries a secret with every known scheme on the stored requests of a source whose sender is unknown. */
export const useLearnScheme = changing("POST /api/v1/sources/{id}/learn", []);
export const useShowVerificationToken = changingSecret("POST /api/v1/sources/{id}/verification-token", [sourcesQuery.queryKey]);

export const useTryReading = (id: string) =>
  useMutation({
    mutationFn: (reading: EventReading | null) => call("POST /api/v1/sources/{id}/reading/preview", { id, body: { reading }, asks: true }),
  });

const LOOK_AGAIN_MS = 2000;

export function useAwaitedSource(id: string): boolean {
  const { data } = useQuery({
    ...sourcesQuery,
    refetchInterval: ({ state }) => (state.data?.some((source) => source.id === id && source.lastEventAt !== null) ? false : LOOK_AGAIN_MS),
  });
  return data?.some((source) => source.id === id && source.lastEventAt !== null) ?? false;
}

/** Neither the secret nor the signature stays in the browser's cache. */
export const useCheckSignature = changingSecret("POST /api/v1/signature-checks", []);

export const outagesQuery = readingPages([...KEYS.settings, "outages"], "GET /api/v1/outages");

export const useOutages = () => useInfiniteQuery(outagesQuery);

export const useDismissOutages = changing("POST /api/v1/outages/dismissals", [outagesQuery.queryKey, KEYS.overview]);

export const fieldMappingQuery = (id: string) =>
  reading([...KEYS.settings, "field-mapping", id], "GET /api/v1/sources/{id}/field-mapping", { id });

/** Returns paths at which failed events of these issues have the missing IDs. Never refetched: the user edits the rows from here on. */
export const fieldMappingSuggestionsQuery = (id: string, issue: string[]) => ({
  ...reading([...KEYS.settings, "field-mapping-suggestions", id, issue], "GET /api/v1/sources/{id}/field-mapping/suggestions", {
    id,
    query: { issue },
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the values that a mapping would read from stored events, compared with the saved one; failed events of `issues` first. */
export const fieldMappingPreviewQuery = (id: string, mapping: FieldMapping, type: string | null, issues: string[]) =>
  queryOptions({
    queryKey: [...KEYS.settings, "field-mapping-preview", id, mapping, type, issues],
    queryFn: () =>
      call("POST /api/v1/sources/{id}/field-mapping/preview", {
        id,
        body: { mapping, ...(type !== null && { type }), ...(issues.length > 0 && { issues }) },
        asks: true,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const useSaveFieldMapping = changing("PUT /api/v1/sources/{id}/field-mapping", [
  KEYS.settings,
  KEYS.quarantine,
  KEYS.quarantined,
  KEYS.issues,
]);
