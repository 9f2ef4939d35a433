import { expect, test } from "vitest";
import { finishAuthRequest, newAuthRequest, ssoErrorCode } from "#lib/auth/sign-in/auth-request";
import { signInWords } from "#lib/client/queries/sign-in";

test.each([
  ["http://localhost:3000/sign-in?error=unavailable", "http://localhost:3000/sign-in?error=unavailable"],
  ["http://localhost:3000/events", "http://localhost:3000/settings/account?password=ended"],
])("a sign-in that ended a password and leads to %s leads to %s", async (location, expected) => {
  const turn = { ...newAuthRequest(new Headers(), new Date()), passwordEnded: true };
  const answer = await finishAuthRequest(turn, new Response(null, { status: 302, headers: { location } }));
  expect(answer.headers.get("location")).toBe(expected);
});

test.each(["SsoUnverified", "SsoDomain", "SsoOtherIdentity", "SsoClaims"])("%s has words of its own", (code) => {
  expect(signInWords(code)).not.toBe(signInWords("a code that nobody knows"));
});

test.each([
  ["State cookie was missing.", "SsoNotBegun"],
  ["state mismatch, expected abc, got: def", "SsoForged"],
  ["state missing from the response", "SsoForged"],
  ["nonce mismatch, expected abc, got: def", "SsoForged"],
  ["failed to validate JWT signature", "SsoForged"],
  ["unexpected iss value, expected https://a, got: https://b", "SsoForged"],
  ["unexpected JWT alg received, expected RS256, got: HS256", "SsoAlgorithm"],
  ["JWT expired, now 2, exp 1", "SsoExpired"],
  ["invalid_grant (grant request is invalid)", "SsoExpired"],
  ["access_denied", "SsoDenied"],
  ["something that no version said before", "OAuthCallback"],
])("%s is told as %s, in words of its own", (fault, code) => {
  expect(ssoErrorCode(fault)).toBe(code);
  expect(signInWords(code)).not.toBe(signInWords("a code that nobody knows"));
});
