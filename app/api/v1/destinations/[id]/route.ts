import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { changeDestinationBody, deletedDestination, destination } from "#lib/contracts/forwarding/destinations";
import { changeDestination, deleteDestination, getDestination, shownDestination } from "#lib/flows/forwarding/destinations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "destinations.read",
  summary: "Read a destination",
  params: idParams,
  answers: { 200: destination },
  example: { params: { id: "dst_example" } },
  handle: async ({ actor, params }) => shownDestination(actor, await getDestination(actor.workspaceId, params.id)),
})
  .and("PATCH", {
    operation: "destinations.manage",
    confirms: ["secret", "url", "mode", "headers"],
    summary: "Change a destination",
    description:
      "Fields that are left out stay. `headers` replaces all of them: one without a `value` keeps the value that it has, one that is left out is removed. Values are never shown again. A URL of another host needs the signing secret and each header's value again.",
    params: idParams,
    body: changeDestinationBody,
    exactFields: ["filter"],
    answers: { 200: destination },
    example: { params: { id: "dst_example" }, body: { rate: 20 } },
    handle: ({ context, params, body }) => changeDestination(context, params.id, body),
  })
  .and("DELETE", {
    operation: "destinations.manage",
    summary: "Delete a destination and cancel its held deliveries",
    params: idParams,
    answers: { 200: deletedDestination },
    example: { params: { id: "dst_example" } },
    handle: ({ context, params }) => deleteDestination(context, params.id),
  });
