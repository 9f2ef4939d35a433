import { expect, test } from "vitest";
import { ssoErrorCode } from "#lib/auth/sign-in/auth-request";
import { signInWords } from "#lib/client/queries/sign-in";

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
