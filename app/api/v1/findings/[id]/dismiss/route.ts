import { actorName } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/app-error";
import { finding } from "#lib/contracts/findings";
import { idParams } from "#lib/contracts/ids";
import { dismissFinding } from "#lib/findings/finding-store";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Sets a finding aside, with who did it and when. One that is not open stays as it is. */
export const POST = defineRoute({
  operation: "findings.dismiss",
  summary: "Dismiss a finding",
  params: idParams,
  answers: { 200: finding },
  example: { params: { id: "fnd_example" } },
  handle: async ({ actor, params, receivedAt }) => {
    const dismissed = await dismissFinding(actor.workspaceId, params.id, actorName(actor), receivedAt);
    if (!dismissed) throw new AppError("not_found", "There is no finding of that id.");
    return dismissed;
  },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods({ POST });
