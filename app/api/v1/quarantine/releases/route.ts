import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { operation } from "#lib/contracts/operations";
import { releasesBody, releasesResult } from "#lib/contracts/quarantine";
import { releaseMatching, requestRelease } from "#lib/flows/quarantine/release-quarantined";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "quarantine.release",
  cost: "heavy",
  summary: "Verify quarantined requests again and release those that pass",
  description:
    "At most 200 requests a call: call again with `nextCursor` until it is null. With `background` a worker releases all of them; read `/operations/{id}` for its progress.",
  answers: { 200: releasesResult, 202: operation },
  example: { body: { filter: { source: "platform" }, dryRun: true } },
  body: releasesBody,
  handle: async ({ context, actor, audit, body, receivedAt }) => {
    if (body.background) return Response.json(await requestRelease(context, body), { status: 202 });
    const result = await releaseMatching(actor.workspaceId, body, actorName(actor), receivedAt);
    const { released, repeated, stillQuarantined } = result;
    if (body.dryRun) audit.unchanged();
    else await audit.record({ action: "quarantine.released", after: { filter: body.filter, released, repeated, stillQuarantined } });
    return result;
  },
});
