import { defineRoute } from "#lib/api/define-route";
import { pageQuery } from "#lib/contracts/api/parameters";
import { outagePage } from "#lib/contracts/outages";
import { listOutages } from "#lib/flows/outages/outages";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "outages.read",
  summary: "List outage windows",
  description:
    "When webhooks may have been lost through Signalbox in the last 30 days: requests that were answered 503 or 429, and times in which " +
    "no receiver ran; with what each source's sender does in that case, and how many events from that time have arrived since.",
  query: pageQuery,
  answers: { 200: outagePage },
  example: { query: { limit: "20" } },
  handle: ({ actor, query, receivedAt }) => listOutages(actor.workspaceId, query, receivedAt),
});
