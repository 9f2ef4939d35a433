import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { sourceList } from "#lib/contracts/auth/settings";
import { readSources } from "#lib/flows/sources/read-sources";

/** Where webhooks come in; never a secret. */
export const GET = defineRoute({
  operation: "sources.read",
  summary: "List sources",
  answers: { 200: sourceList },
  example: {},
  handle: async ({ actor }) => ({ data: await readSources(actor.workspaceId), nextCursor: null }),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
