import { actorName } from "#lib/auth/actor";
import { recordAudit } from "#lib/auth/audit";
import { admissionsBody, admissionsResult } from "#lib/contracts/quarantine";
import { admitMatching } from "#lib/flows/admit-quarantined";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Re-verifies the refused requests that match a filter and admits what passes, 200 a call; `dryRun` only counts. */
export const POST = defineRoute({
  operation: "quarantine.admit",
  summary: "Verify refused requests again and admit all that pass",
  answers: { 200: admissionsResult },
  example: { body: { filter: { source: "platform" }, dryRun: true } },
  body: admissionsBody,
  handle: async ({ actor, body }) => {
    const result = await admitMatching(actor.workspaceId, body, actorName(actor));
    const { admitted, repeated, stillRefused } = result;
    if (!body.dryRun) {
      await recordAudit(actor, { action: "quarantine.admitted", after: { filter: body.filter, admitted, repeated, stillRefused } });
    }
    return result;
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });
