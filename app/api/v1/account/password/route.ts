import { changePassword } from "#lib/auth/change-password";
import { requirePerson } from "#lib/auth/person";
import { changePasswordBody } from "#lib/contracts/account";
import { defineRoute } from "#lib/http/define-route";
import { otherMethods } from "#lib/http/other-methods";

/** Changes one's own password. Every other session ends at once, and this one gets a new cookie. */
export const PUT = defineRoute({
  operation: "account.manage",
  summary: "Change one's own password",
  body: changePasswordBody,
  answers: { 204: null },
  example: { body: { current: "the example's password", next: "tram-violet-7-lake" } },
  handle: async ({ actor, body, request, receivedAt }) => {
    requirePerson(actor);
    const cookie = await changePassword(actor, request.headers, body, receivedAt);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

export const { GET, POST, PATCH, DELETE, OPTIONS } = otherMethods({ PUT });
