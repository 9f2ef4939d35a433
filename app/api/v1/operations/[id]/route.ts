import { defineRoute } from "#lib/api/define-route";
import { idParams } from "#lib/contracts/api/ids";
import { operation } from "#lib/contracts/operations";
import { readOperation } from "#lib/flows/operations/operations";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "operations.read",
  summary: "Read the progress and result of a long operation",
  description:
    "Re-deliveries, rebuilds, releases and exports. `queued` and `running` may be stopped, `stopped` and `failed` resumed where `canResume` says so.",
  params: idParams,
  answers: { 200: operation },
  example: { params: { id: "rel_example" } },
  handle: ({ actor, params }) => readOperation(actor.workspaceId, params.id),
});
