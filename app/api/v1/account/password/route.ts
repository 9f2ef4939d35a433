import { defineRoute } from "#lib/api/define-route";
import { changePassword } from "#lib/auth/sign-in/sign-in";
import { changePasswordBody } from "#lib/contracts/auth/account";

/** Every other session ends at once, and this one gets a new cookie. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = defineRoute("PUT", {
  operation: "account.manage",
  summary: "Change your own password",
  body: changePasswordBody,
  answers: { 204: null },
  example: { body: { current: "the example's password", next: "tram-violet-7-lake" } },
  handle: async ({ context, body, request }) => {
    const cookie = await changePassword(context, request.headers, body);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});
