import { defineRoute } from "#lib/api/define-route";
import { connectionPage, connectionQuery, startConnectBody, startConnectResult } from "#lib/contracts/connections";
import { startConnect } from "#lib/flows/connections/connect";
import { listConnections } from "#lib/flows/connections/connections";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("GET", {
  operation: "connections.read",
  summary: "List connections",
  answers: { 200: connectionPage },
  example: { query: { limit: "20" } },
  query: connectionQuery,
  handle: ({ actor, query: { limit, cursor, ...filter }, receivedAt }) =>
    listConnections(actor.workspaceId, filter, { limit, cursor }, receivedAt),
}).and("POST", {
  operation: "connections.manage",
  summary: "Start connecting an account",
  description: "Returns the URL to open in the browser. Requires a user session, because the platform redirects a browser back.",
  problems: ["not_found"],
  answers: { 200: startConnectResult },
  example: { body: { name: "Head office" } },
  body: startConnectBody,
  handle: async ({ actor, audit, body, receivedAt }) => {
    const started = await startConnect(actor, body, receivedAt);
    const target = { kind: "connection", id: started.connectionId, name: body.name ?? null };
    await audit.record({ action: "connection.started", target, after: { again: body.connectionId !== undefined } });
    return started;
  },
});
