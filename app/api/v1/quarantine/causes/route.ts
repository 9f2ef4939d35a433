import { defineRoute } from "#lib/api/define-route";
import { otherMethods } from "#lib/api/other-methods";
import { quarantineCauses, quarantineCausesQuery } from "#lib/contracts/quarantine";
import { readCauses } from "#lib/flows/quarantine/read-causes";

/** What is in quarantine by reason and source, every request counted. */
export const GET = defineRoute({
  operation: "quarantine.read",
  cost: "heavy",
  summary: "Count quarantined requests by cause",
  query: quarantineCausesQuery,
  answers: { 200: quarantineCauses },
  example: {},
  handle: ({ actor, query }) => readCauses(actor.workspaceId, query),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ GET });
