/** `left`: not asked, as it could end access in use. `unconfirmed`: for that reason not asked again. */
export type RevocationOutcome = "revoked" | "not_offered" | "failed" | "left" | "unconfirmed" | "not_possible";

export const REVOCATION_REASONS: Record<Exclude<RevocationOutcome, "revoked">, string> = {
  not_offered: "no revocation URL is configured (PLATFORM_REVOKE_URL)",
  failed: "the platform did not confirm",
  unconfirmed: "the platform did not confirm, and asking again could end the access that is in use (PLATFORM_REVOKES)",
  not_possible: "the tokens could not be decrypted",
  left: "revoking it could end the access that is in use (PLATFORM_REVOKES)",
};
