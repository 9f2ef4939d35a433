import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { pageQuery } from "#lib/contracts/api/parameters";
import { redeliveriesAccepted, redeliveriesBody, redeliveryPage } from "#lib/contracts/redeliveries";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { listRedeliveries } from "#lib/processing/redelivery-store";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "List re-deliveries",
  answers: { 200: redeliveryPage },
  example: { query: { limit: "20" } },
  query: pageQuery,
  handle: ({ actor, query }) => listRedeliveries(actor.workspaceId, query),
}).and("POST", {
  operation: "events.redeliver",
  cost: "heavy",
  summary: "Re-deliver filtered or selected events",
  description: "The set of events is fixed at the time of the request. With `hold` or `dryRun` nothing starts before `POST …/{id}/start`.",
  problems: ["search_incomplete"],
  answers: { 200: redeliveriesAccepted, 202: redeliveriesAccepted },
  example: { body: { filter: { type: ["document.processed"] }, name: "after the fix", dryRun: true } },
  body: redeliveriesBody,
  handle: async ({ actor, audit, body: { filter, eventIds = [], name, destinations, dryRun, hold }, receivedAt }) => {
    const request = { now: receivedAt, name: name ?? null, toDestinations: destinations, dryRun, hold, requestedBy: actorName(actor) };
    const result = await redeliverSet(actor.workspaceId, filter ? { filter } : { eventIds }, request);
    if (dryRun || hold || result.id === null) audit.unchanged();
    else {
      const target = { kind: "redelivery", id: result.id, name: name ?? null };
      await audit.record({ action: "redelivery.started", target, after: { events: result.total, filter: filter ?? null, destinations } });
    }
    return Response.json({ ...result, dryRun }, { status: dryRun || hold ? 200 : 202 });
  },
});
