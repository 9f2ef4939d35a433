import { defineRoute } from "#lib/api/define-route";
import { eventValuesList, eventValuesQuery } from "#lib/contracts/events/events";
import { readEventValues } from "#lib/flows/events/payload-fields";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "events.read",
  cost: "heavy",
  summary: "Read payload fields of events",
  description:
    "The values of up to 4 payload fields of up to 50 events, as text, as the columns of the list show them. A field is named as in " +
    "the search (`data.status`); of a list, the first 5 values are returned. At most 16 MB of bodies are read.",
  query: eventValuesQuery,
  answers: { 200: eventValuesList },
  example: { query: { id: "evt_example", path: "data.status" } },
  handle: async ({ actor, query }) => ({
    data: await readEventValues(actor.workspaceId, query.id ?? [], query.path ?? []),
    nextCursor: null,
  }),
});
