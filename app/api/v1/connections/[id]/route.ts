import { AppError } from "#lib/contracts/app-error";
import { connectionId } from "#lib/contracts/ids";
import { disconnectConnection } from "#lib/flows/disconnect-connection";
import { readConnection } from "#lib/flows/read-connection";
import { defineRoute } from "#lib/http/define-route";

/** One linked account with its timeline; never a token. */
export const GET = defineRoute({
  operation: "connections.read",
  handle: async ({ actor, params }) => {
    const found = await readConnection(actor.workspaceId, params.id ?? "", new Date());
    if (!found) throw new AppError("not_found", "There is no such connection.");
    return found;
  },
});

/** Disconnects: erases the tokens and takes them back at the platform. */
export const DELETE = defineRoute({
  operation: "connections.manage",
  handle: async ({ actor, params }) => {
    const { outcome } = await disconnectConnection(actor, connectionId.parse(params.id));
    if (outcome === "not_found") throw new AppError("not_found", "There is no such connection.");
    return new Response(null, { status: 204 });
  },
});
