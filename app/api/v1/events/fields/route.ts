import { defineRoute } from "#lib/api/define-route";
import { eventFieldList, eventFieldsQuery } from "#lib/contracts/events/events";
import { readEventFields } from "#lib/flows/events/payload-fields";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "List payload fields",
  description:
    "The fields of the event types received last as they were learnt, and those of the newest 100 events where a type is not learnt yet, the most frequent first: at most 200. " +
    "`values` lists the values of an enumeration, and until 200 events of a type were received those of a field that has only a few.",
  answers: { 200: eventFieldList },
  query: eventFieldsQuery,
  example: { query: { source: "platform" } },
  handle: async ({ actor, query, receivedAt }) => ({
    data: await readEventFields(actor.workspaceId, receivedAt, query.source),
    nextCursor: null,
  }),
});
