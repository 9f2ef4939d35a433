import { defineRoute } from "#lib/api/define-route";
import { actorName } from "#lib/auth/actor";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import { idParams } from "#lib/contracts/api/ids";
import { releaseResult } from "#lib/contracts/quarantine";
import { releaseQuarantined } from "#lib/flows/quarantine/release-quarantined";

/** Verifies the request again; 409 with the reason if that fails. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("POST", {
  operation: "quarantine.release",
  summary: "Verify a quarantined request again and release it",
  params: idParams,
  answers: { 200: releaseResult },
  example: { params: { id: "qua_example" } },
  handle: async ({ actor, audit, params, receivedAt }) => {
    const result = await expectFound(
      releaseQuarantined(actor.workspaceId, params.id, actorName(actor), receivedAt),
      "quarantined request with that ID",
    );
    if (!result.released) throw new AppError("conflict", result.reason ?? "It can't be released.");
    const target = { kind: "quarantine", id: params.id };
    const [before, after] = [{ state: "quarantined" }, { state: "released", eventId: result.eventId }];
    await audit.record({ action: "quarantine.released", target, before, after });
    return result;
  },
});
