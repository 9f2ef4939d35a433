import { readOverview } from "#lib/flows/read-overview";
import { defineRoute } from "#lib/http/define-route";

/** Is all well, and if not, what first? */
export const GET = defineRoute({
  operation: "overview.read",
  handle: ({ actor }) => readOverview(actor.workspaceId, new Date()),
});
