import { defineRoute } from "#lib/api/define-route";
import { expectFound } from "#lib/contracts/api/app-error";
import { connectionId, idParams } from "#lib/contracts/api/ids";
import { changeConnectionBody, connectionDetail, disconnectResult } from "#lib/contracts/connections";
import { changeConnection, disconnectConnection, disconnectSentence, readConnection } from "#lib/flows/connections/connections";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "connections.read",
  summary: "Read a connection",
  params: idParams,
  answers: { 200: connectionDetail },
  example: { params: { id: "con_example" } },
  handle: ({ actor, params, receivedAt }) =>
    expectFound(readConnection(actor.workspaceId, params.id, receivedAt), "connection with that ID"),
})
  .and("PATCH", {
    operation: "connections.manage",
    summary: "Rename a connection",
    description: "A connection bears its account's name until it is renamed.",
    params: idParams,
    body: changeConnectionBody,
    answers: { 200: connectionDetail },
    example: { params: { id: "con_example" }, body: { name: "Acme production" } },
    handle: ({ context, params, body }) => changeConnection(context, params.id, body.name),
  })
  .and("DELETE", {
    operation: "connections.manage",
    summary: "Disconnect a connection",
    params: idParams,
    answers: { 200: disconnectResult, 204: null },
    example: { params: { id: "con_example" } },
    handle: async ({ context, params }) => {
      const done = await disconnectConnection(context, connectionId.parse(params.id));
      if (done.outcome === "removed") return undefined;
      const { erased, revocation } = done;
      return { erased, revocation, sentence: disconnectSentence(erased, revocation) };
    },
  });
