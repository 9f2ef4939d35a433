import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { SignatureCheckBody } from "#lib/contracts/quarantine";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import type { ChangeSourceBody, CreateSourceBody } from "#lib/contracts/sources/sources";
import { call, reading, readingPages, readingRows, useChange, useSecretChange } from "./api.ts";
import { KEYS } from "./keys.ts";
import { sourcesQuery } from "./settings.ts";

const sourceTemplatesQuery = {
  ...readingRows([...KEYS.settings, "source-templates"], "GET /api/v1/source-templates"),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useSourceTemplates = (enabled: boolean) => useQuery({ ...sourceTemplatesQuery, enabled });

export const useCreateSource = () =>
  useSecretChange((body: CreateSourceBody) => call("POST /api/v1/sources", { body }), [sourcesQuery.queryKey]);

export const useChangeSource = (id: string) =>
  useChange((body: ChangeSourceBody) => call("PATCH /api/v1/sources/{id}", { id, body }), [sourcesQuery.queryKey]);

/** Tries a secret with every known scheme on the stored requests of a source whose sender is unknown. */
export const useLearnScheme = (id: string) =>
  useMutation({ mutationFn: (secret: string) => call("POST /api/v1/sources/{id}/learn", { id, body: { secret } }) });

export const useShowVerificationToken = (id: string) =>
  useSecretChange(() => call("POST /api/v1/sources/{id}/verification-token", { id }), [sourcesQuery.queryKey]);

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
export const useCheckSignature = () =>
  useMutation({ mutationFn: (body: SignatureCheckBody) => call("POST /api/v1/signature-checks", { body }), gcTime: 0 });

export const outagesQuery = readingPages([...KEYS.settings, "outages"], "GET /api/v1/outages");

export const useOutages = () => useInfiniteQuery(outagesQuery);

export const useDismissOutages = () =>
  useChange((until: string) => call("POST /api/v1/outages/dismissals", { body: { until } }), [outagesQuery.queryKey, KEYS.overview]);

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

export const useSaveFieldMapping = (id: string) =>
  useChange(
    (mapping: FieldMapping) => call("PUT /api/v1/sources/{id}/field-mapping", { id, body: { mapping } }),
    [KEYS.settings, KEYS.quarantine, KEYS.quarantined, KEYS.issues],
  );
