import { queryOptions } from "@tanstack/react-query";
import { apiFetch, contract } from "#lib/client/fetch/fetcher";
import { KEYS } from "#lib/client/queries/keys";

const FRESH_MS = 60_000;

const fieldsContract = contract(() => import("#lib/contracts/events/event-fields"));

export const eventFieldsQuery = queryOptions({
  queryKey: KEYS.eventFields,
  queryFn: async ({ signal }) => (await apiFetch(fieldsContract("eventFieldList"), "/api/v1/events/fields", { signal })).data,
  staleTime: FRESH_MS,
});
