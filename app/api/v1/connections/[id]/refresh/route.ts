import { defineRoute } from "#lib/api/define-route";
import { connectionId, idParams } from "#lib/contracts/api/ids";
import { connectionDetail } from "#lib/contracts/connections";
import { renewConnection } from "#lib/flows/connections/refresh-connection";

/** Of many callers at once, one asks the platform. A failed renewal shows as the connection's problem. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "connections.manage",
  summary: "Renew a connection's access now",
  params: idParams,
  answers: { 200: connectionDetail },
  example: { params: { id: "con_example" } },
  handle: ({ context, params, receivedAt }) => renewConnection(context, connectionId.parse(params.id), receivedAt),
});
