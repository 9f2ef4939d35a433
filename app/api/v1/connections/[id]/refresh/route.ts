import { AppError } from "#lib/contracts/app-error";
import { connectionDetail } from "#lib/contracts/connections";
import { connectionId, idParams } from "#lib/contracts/ids";
import { readConnection } from "#lib/flows/read-connection";
import { refreshAndWait } from "#lib/flows/refresh-connection";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Renews the access now; of many who ask at once one asks the platform. Answers the connection as it stands then: a renewal that failed shows as its problem. */
export const POST = defineRoute({
  operation: "connections.manage",
  summary: "Renew a connection's access now",
  params: idParams,
  answers: { 200: connectionDetail },
  example: { params: { id: "con_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const id = connectionId.parse(params.id);
    const before = await readConnection(actor.workspaceId, id, new Date());
    if (!before) throw new AppError("not_found", "There is no such connection.");
    const { outcome } = await refreshAndWait(actor.workspaceId, id, receivedAt);
    if (outcome === "not_renewable") throw new AppError("conflict", `${before.sentence} It can't be renewed: reconnect it.`);
    return readConnection(actor.workspaceId, id, new Date());
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });
