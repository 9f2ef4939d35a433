import { actorName } from "#lib/auth/actor";
import { recordAudit } from "#lib/auth/audit";
import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { admitResult } from "#lib/contracts/quarantine";
import { admitQuarantined } from "#lib/flows/admit-quarantined";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Verifies a refused request again and admits it when it passes; 409 with the reason when it does not. */
export const POST = defineRoute({
  operation: "quarantine.admit",
  summary: "Verify a refused request again and admit it",
  params: idParams,
  answers: { 200: admitResult },
  example: { params: { id: "qua_example" } },
  handle: async ({ actor, params }) => {
    const result = await admitQuarantined(actor.workspaceId, params.id, actorName(actor));
    if (!result) throw new AppError("not_found", "There is no refused request of that id.");
    if (!result.admitted) throw new AppError("conflict", result.reason ?? "It can't be admitted.");
    const target = { kind: "quarantine", id: params.id };
    await recordAudit(actor, { action: "quarantine.admitted", target, after: { eventId: result.eventId } });
    return result;
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });
