import { pool } from "#lib/db/pool";
import { hashToken } from "#lib/vault/opaque-token";

/** Purposes of a challenge. */
export type ChallengePurpose = "register" | "prove" | "sign_in";

const VALID_MS = 5 * 60_000;

/**
 * Keeps a challenge for five minutes; it replaces an open one of the same browser.
 *
 * @param boundTo the hash of the session's id, or of the browser's cookie
 */
export async function insertChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO passkey_challenges (challenge_hash, bound_to, purpose, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (bound_to, purpose) DO UPDATE SET challenge_hash = excluded.challenge_hash, expires_at = excluded.expires_at`,
    [hashToken(challenge), boundTo, purpose, new Date(now.getTime() + VALID_MS)],
  );
}

/** Uses a challenge up. @returns false for one of another browser or purpose, a used and an expired one */
export async function claimChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<boolean> {
  const { rowCount } = await pool().query(
    "DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND bound_to = $2 AND purpose = $3 AND expires_at > $4",
    [hashToken(challenge), boundTo, purpose, now],
  );
  return rowCount === 1;
}

/** Removes expired challenges. @returns how many */
export async function deleteOldChallenges(now: Date): Promise<number> {
  return (await pool().query("DELETE FROM passkey_challenges WHERE expires_at <= $1", [now])).rowCount ?? 0;
}
