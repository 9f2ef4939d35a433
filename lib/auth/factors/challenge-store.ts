import { prisma } from "#lib/db/prisma";
import { hashToken } from "#lib/vault/opaque-token";

export type ChallengePurpose = "register" | "prove" | "sign_in";

const VALID_MS = 5 * 60_000;

/** Keeps a challenge for five minutes, replacing the browser's open one. @param boundTo hash of the session's ID or the browser's cookie */
export async function insertChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<void> {
  const update = { challengeHash: hashToken(challenge), expiresAt: new Date(now.getTime() + VALID_MS) };
  const browser = { boundTo, purpose };
  await prisma().passkeyChallenge.upsert({ where: { boundTo_purpose: browser }, create: { ...browser, ...update }, update });
}

/** Uses up a challenge. @returns false if it is used, expired, or another browser's or purpose's */
export async function claimChallenge(challenge: string, boundTo: string, purpose: ChallengePurpose, now: Date): Promise<boolean> {
  const { count } = await prisma().passkeyChallenge.deleteMany({
    where: { challengeHash: hashToken(challenge), boundTo, purpose, expiresAt: { gt: now } },
  });
  return count === 1;
}

export async function deleteOldChallenges(now: Date): Promise<number> {
  return (await prisma().passkeyChallenge.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}
