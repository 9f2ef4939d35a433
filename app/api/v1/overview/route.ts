import { overview } from "#lib/contracts/overview";
import { readOverview } from "#lib/flows/read-overview";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Is all well, and if not, what first? */
export const GET = defineRoute({
  operation: "overview.read",
  summary: "Read the overview",
  answers: { 200: overview },
  example: {},
  handle: ({ actor }) => readOverview(actor.workspaceId, new Date()),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
