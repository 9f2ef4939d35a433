import { defineRoute, otherMethods } from "#lib/api/define-route";
import { AppError } from "#lib/contracts/api/app-error";
import { connectionId, idParams } from "#lib/contracts/api/ids";
import { changeConnectionBody, connectionDetail, type DisconnectResult, disconnectResult } from "#lib/contracts/connections";
import { changeConnection, disconnectConnection, disconnectSentence, readConnection } from "#lib/flows/connections/connections";

export const GET = defineRoute({
  operation: "connections.read",
  summary: "Read a connection",
  params: idParams,
  answers: { 200: connectionDetail },
  example: { params: { id: "con_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const found = await readConnection(actor.workspaceId, params.id, receivedAt);
    if (!found) throw new AppError("not_found", "There is no connection with that ID.");
    return found;
  },
});

export const PATCH = defineRoute({
  operation: "connections.manage",
  summary: "Rename a connection",
  description: "A connection bears its account's name until it is renamed.",
  params: idParams,
  body: changeConnectionBody,
  answers: { 200: connectionDetail },
  example: { params: { id: "con_example" }, body: { name: "Acme production" } },
  handle: ({ actor, audit, params, body, receivedAt }) => changeConnection(actor, params.id, body.name, audit, receivedAt),
});

/** Erases the tokens and revokes them at the platform. 204 if it never was connected. */
export const DELETE = defineRoute({
  operation: "connections.manage",
  summary: "Disconnect a connection",
  params: idParams,
  answers: { 200: disconnectResult, 204: null },
  example: { params: { id: "con_example" } },
  handle: async ({ actor, audit, params }) => {
    const done = await disconnectConnection(actor, connectionId.parse(params.id), audit);
    if (done.outcome === "not_found") throw new AppError("not_found", "There is no connection with that ID.");
    if (done.outcome === "removed") return new Response(null, { status: 204 });
    const { erased, revocation } = done;
    return { erased, revocation, sentence: disconnectSentence(erased, revocation) } satisfies DisconnectResult;
  },
});

export const { POST, PUT, OPTIONS } = otherMethods({ GET, PATCH, DELETE });
