import { overview } from "#lib/contracts/overview";
import { readOverview } from "#lib/flows/read-overview";
import { defineRoute } from "#lib/http/define-route";

/** Is all well, and if not, what first? */
export const GET = defineRoute({
  operation: "overview.read",
  summary: "Read the overview",
  answers: { 200: overview },
  example: {},
  handle: ({ actor }) => readOverview(actor.workspaceId, new Date()),
});
