import { sourceList } from "#lib/contracts/settings";
import { readSources } from "#lib/flows/read-sources";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Where webhooks come in; never a secret. */
export const GET = defineRoute({
  operation: "sources.read",
  summary: "List sources",
  answers: { 200: sourceList },
  example: {},
  handle: async ({ actor }) => ({ data: await readSources(actor.workspaceId), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
