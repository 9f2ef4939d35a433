import { startConnectBody } from "#lib/contracts/connections";
import { pageQuery } from "#lib/contracts/paging";
import { listConnections } from "#lib/flows/list-connections";
import { startConnect } from "#lib/flows/start-connect";
import { defineRoute } from "#lib/http/define-route";

/** Linked accounts, newest first. */
export const GET = defineRoute({
  operation: "connections.read",
  query: pageQuery,
  handle: ({ actor, query }) => listConnections(actor.workspaceId, query, new Date()),
});

/** Begins to connect a new account, or one again: answers where to send the browser. */
export const POST = defineRoute({
  operation: "connections.manage",
  body: startConnectBody,
  handle: ({ actor, body }) => startConnect(actor, body),
});
