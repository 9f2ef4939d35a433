import { defineRoute } from "#lib/api/define-route";
import { createDestinationBody, createdDestination, destinationList } from "#lib/contracts/forwarding/destinations";
import { createDestination, readDestinations, shownDestination } from "#lib/flows/forwarding/destinations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "destinations.read",
  summary: "List destinations",
  answers: { 200: destinationList },
  example: {},
  handle: async ({ actor }) => ({
    data: (await readDestinations(actor.workspaceId)).map((each) => shownDestination(actor, each)),
    nextCursor: null,
  }),
}).and("POST", {
  operation: "destinations.manage",
  confirms: "always",
  summary: "Create a destination",
  description:
    "It receives the events that are applied from now on. The signing secret is shown once, in this response. `headers` go with each request, such as the API key of a gateway: their values are kept encrypted and never shown again.",
  body: createDestinationBody,
  exactFields: ["filter"],
  answers: { 201: createdDestination },
  example: { body: { name: "Billing", url: "https://app.example.com/webhooks", types: ["document.processed"] } },
  handle: ({ context, body }) => createDestination(context, body),
});
