import { hashToken } from "#lib/vault/opaque-token";
import { verifyPassword } from "./password.ts";
import { claimTry, clearTries } from "./sign-in-failure-store.ts";
import { findByEmail, normalEmail } from "./user-store.ts";

export type SignInOutcome =
  | { outcome: "signed_in"; user: { id: string; email: string; name: string | null } }
  | { outcome: "refused" }
  | { outcome: "locked"; until: Date };

/**
 * Checks an e-mail address and a password. An unknown address and a wrong
 * password look the same, in words and in time; ten failures lock the address,
 * known or not, for a wait that grows.
 */
export async function signIn(email: string, password: string, now = new Date()): Promise<SignInOutcome> {
  const emailHash = hashToken(normalEmail(email));
  const until = await claimTry(emailHash, now);
  if (until) return { outcome: "locked", until };
  const user = await findByEmail(email);
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) return { outcome: "refused" };
  await clearTries(emailHash);
  return { outcome: "signed_in", user: { id: user.id, email: user.email, name: user.name } };
}
