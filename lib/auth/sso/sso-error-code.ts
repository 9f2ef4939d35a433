/** Codes that lib/client/queries/auth/sign-in.ts has messages for. */
type SsoErrorCode = "SsoNotBegun" | "SsoForged" | "SsoExpired" | "SsoDenied" | "OAuthCallback";

/** Messages of openid-client, jose and next-auth, by the cause that a person can fix. */
const CAUSES: [RegExp, SsoErrorCode][] = [
  // No cookie: the answer was used before, or the sign-in is older than 15 minutes or began in another browser.
  [/cookie was missing/i, "SsoNotBegun"],
  [/"exp" claim|id_token expired|JWT expired|invalid_grant|JWT not active/i, "SsoExpired"],
  [/access_denied|consent_required|login_required|interaction_required/i, "SsoDenied"],
  [
    /mismatch|missing from the response|signature|unexpected iss|unexpected JWT|decryption|could not be parsed|aud |azp |at_hash/i,
    "SsoForged",
  ],
];

export const ssoErrorCode = (fault: string): SsoErrorCode => CAUSES.find(([words]) => words.test(fault))?.[1] ?? "OAuthCallback";
