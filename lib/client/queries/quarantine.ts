import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import {
  QUARANTINE_CAUSE_FILTERS,
  QUARANTINE_FILTERS,
  type QuarantineCauseFilter,
  type QuarantineFilter,
} from "#lib/contracts/quarantine-filters";
import { call, changing, reading, readingPages, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

/** Quarantined requests have no frame in the feed. Milliseconds. */
const DIAGNOSES_POLL_MS = 10_000;
const SOON_MS = 2000;
/** In a flood some are always undiagnosed: this many polls are fast, the rest as usual. */
const MAX_SOON = 15;

export const quarantineListQuery = (filter: QuarantineFilter) => ({
  ...readingPages([...KEYS.quarantine, filter], "GET /api/v1/quarantine", { query: writeFilter(QUARANTINE_FILTERS, filter) }),
  placeholderData: keepPreviousData,
});

export const quarantineDiagnosesQuery = (filter: QuarantineCauseFilter) =>
  queryOptions({
    ...reading([...KEYS.quarantine, "diagnoses", filter], "GET /api/v1/quarantine/diagnoses", {
      query: writeFilter(QUARANTINE_CAUSE_FILTERS, filter),
    }),
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < MAX_SOON && state.data?.data.some(({ code }) => code === null) ? SOON_MS : DIAGNOSES_POLL_MS,
    placeholderData: keepPreviousData,
  });

export const quarantineEntryQuery = (id: string) => reading([...KEYS.quarantined, id], "GET /api/v1/quarantine/{id}", { id });

/** Verifies a request again and releases it. Throws with the reason if it doesn't pass. */
export const useRelease = (id: string) =>
  useChange(
    () => call("POST /api/v1/quarantine/{id}/release", { id }),
    [KEYS.quarantine, quarantineEntryQuery(id).queryKey, KEYS.events, KEYS.overview],
  );

const SHOWN = [KEYS.quarantine, KEYS.quarantined, KEYS.overview, KEYS.counts];

export const useDismiss = changing("POST /api/v1/quarantine/dismissals", SHOWN);
export const useRestore = changing("POST /api/v1/quarantine/restorations", SHOWN);
