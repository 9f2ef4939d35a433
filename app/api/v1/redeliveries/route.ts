import { actorName } from "#lib/auth/actor";
import { pageQuery } from "#lib/contracts/paging";
import { redeliveriesAccepted, redeliveriesBody, redeliveryPage } from "#lib/contracts/redeliveries";
import { listRedeliveries } from "#lib/deliveries/redelivery-store";
import { redeliverSet } from "#lib/flows/redeliver-events";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** The re-deliveries that were begun. */
export const GET = defineRoute({
  operation: "events.read",
  summary: "List redeliveries",
  answers: { 200: redeliveryPage },
  example: { query: { limit: "20" } },
  query: pageQuery,
  handle: ({ actor, query }) => listRedeliveries(actor.workspaceId, query),
});

/** Delivers a set again, or freezes it (`hold`), or tells what would happen (`dryRun`). */
export const POST = defineRoute({
  operation: "events.redeliver",
  summary: "Deliver again what matches a filter, or chosen events",
  description: "The set is frozen when it is asked for. With `hold` or `dryRun` nothing begins before `POST …/{id}/start`.",
  answers: { 200: redeliveriesAccepted, 202: redeliveriesAccepted },
  example: { body: { filter: { type: ["document.processed"] }, name: "after the fix", dryRun: true } },
  body: redeliveriesBody,
  handle: async ({ actor, body: { filter, eventIds = [], name, dryRun, hold } }) => {
    const request = { name: name ?? null, dryRun, hold, requestedBy: actorName(actor) };
    const result = await redeliverSet(actor.workspaceId, filter ? { filter } : { eventIds }, request);
    return Response.json({ ...result, dryRun }, { status: dryRun || hold ? 200 : 202 });
  },
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET, POST });
