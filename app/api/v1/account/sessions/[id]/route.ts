import { requirePerson } from "#lib/auth/person";
import { endOwnSessions } from "#lib/auth/session-rotation-store";
import { AppError } from "#lib/contracts/app-error";
import { idParams } from "#lib/contracts/ids";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Ends one of one's sessions, at once. */
export const DELETE = defineRoute({
  operation: "account.manage",
  summary: "End a session",
  params: idParams,
  answers: { 204: null },
  example: { params: { id: "ses_0123456789abcdef" } },
  handle: async ({ actor, params }) => {
    requirePerson(actor);
    if ((await endOwnSessions(actor, params.id)) === 0)
      throw new AppError("not_found", "You have no such session; it may have ended by itself.");
    return new Response(null, { status: 204 });
  },
});

export const { GET, POST, PUT, PATCH, OPTIONS } = otherMethods({ DELETE });
