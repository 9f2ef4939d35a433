import { revokeInvitation } from "#lib/auth/invitation-store";
import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Takes an invitation back: its link is worth nothing from now on. */
export const DELETE = defineRoute({
  operation: "members.manage",
  summary: "Take an invitation back",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "inv_example" } },
  handle: async ({ actor, params }) => {
    const revoked = await revokeInvitation(actor, params.id, new Date());
    if (!revoked) throw new AppError("not_found", "There is no such invitation, or it was used or taken back before.");
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, PATCH, OPTIONS } = otherMethods({ DELETE });
