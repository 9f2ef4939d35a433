/** Why an answer of the single sign-on provider is refused: codes that lib/client/sign-in.ts has words for. */
type SsoRefusal = "SsoNotBegun" | "SsoForged" | "SsoExpired" | "SsoDenied" | "OAuthCallback";

/** What openid-client, jose and next-auth say, by the cause that a person can do something about. */
const CAUSES: [RegExp, SsoRefusal][] = [
  // No cookie of a trip: the answer was used before, the trip is older than 15 minutes, or began in another browser.
  [/cookie was missing/i, "SsoNotBegun"],
  [/"exp" claim|id_token expired|JWT expired|invalid_grant|JWT not active/i, "SsoExpired"],
  [/access_denied|consent_required|login_required|interaction_required/i, "SsoDenied"],
  [
    /mismatch|missing from the response|signature|unexpected iss|unexpected JWT|decryption|could not be parsed|aud |azp |at_hash/i,
    "SsoForged",
  ],
];

/** The code for the words in which the library refused. */
export const ssoRefusal = (fault: string): SsoRefusal => CAUSES.find(([words]) => words.test(fault))?.[1] ?? "OAuthCallback";
