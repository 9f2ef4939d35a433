import { useQuery } from "@tanstack/react-query";
import { writeFilter } from "#lib/client/url-filter";
import { MISSING_EVENT_FILTERS, type MissingEventFilter } from "#lib/contracts/missing-event-filters";
import type { MissingEventResource, OpenMissingEventFilter, SnoozeTime } from "#lib/contracts/missing-events";
import { call, changing, reading, readingPages, readingRows, useChange } from "./api.ts";
import { KEYS } from "./keys.ts";

export const missingEventsQuery = (filter: MissingEventFilter) =>
  readingPages([...KEYS.missingEvents, "list", filter], "GET /api/v1/missing-events", {
    query: writeFilter(MISSING_EVENT_FILTERS, filter),
  });

const OF_ONE = "5";

export const useMissingEventsOf = ({ kind, id }: MissingEventResource) =>
  useQuery(
    readingRows([...KEYS.missingEvents, "of", kind, id], "GET /api/v1/missing-events", {
      query: writeFilter(MISSING_EVENT_FILTERS, { resource: `${kind}:${id}` }, { limit: OF_ONE }),
    }),
  );

export const missingEventRulesQuery = reading([...KEYS.missingEvents, "rules"], "GET /api/v1/missing-events/rules");

const SHOWN = [KEYS.missingEvents, KEYS.overview, KEYS.counts];

export const useSetAside = () =>
  useChange(
    ({ filter, snooze }: { filter: OpenMissingEventFilter; snooze?: SnoozeTime }) =>
      snooze === undefined
        ? call("POST /api/v1/missing-events/dismissals", { body: { filter } })
        : call("POST /api/v1/missing-events/snoozes", { body: { filter, for: snooze } }),
    SHOWN,
  );

export const useRestoreMissingEvents = changing("POST /api/v1/missing-events/restorations", SHOWN);
