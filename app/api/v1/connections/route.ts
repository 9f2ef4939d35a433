import { connectionPage, startConnectBody, startConnectResult } from "#lib/contracts/connections";
import { pageQuery } from "#lib/contracts/paging";
import { listConnections } from "#lib/flows/list-connections";
import { startConnect } from "#lib/flows/start-connect";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Linked accounts, newest first. */
export const GET = defineRoute({
  operation: "connections.read",
  summary: "List connections",
  answers: { 200: connectionPage },
  example: { query: { limit: "20" } },
  query: pageQuery,
  handle: ({ actor, query }) => listConnections(actor.workspaceId, query, new Date()),
});

/** Begins to connect a new account, or one again: answers where to send the browser. */
export const POST = defineRoute({
  operation: "connections.manage",
  summary: "Begin to connect an account",
  description: "Answers where to send the browser. It needs a person's session: the platform sends a browser back.",
  answers: { 200: startConnectResult },
  example: { body: { name: "Head office" } },
  body: startConnectBody,
  handle: ({ actor, body }) => startConnect(actor, body),
});

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET, POST });
