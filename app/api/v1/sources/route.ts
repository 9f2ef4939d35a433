import { readSources } from "#lib/flows/read-sources";
import { defineRoute } from "#lib/http/define-route";

/** Where webhooks come in; never a secret. */
export const GET = defineRoute({
  operation: "sources.read",
  handle: async ({ actor }) => ({ data: await readSources(actor.workspaceId), nextCursor: null }),
});
