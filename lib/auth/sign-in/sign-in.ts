import { recordAnonymousSoon } from "#lib/auth/audit/audit-anonymous";
import { findForSignIn, normalEmail, type UserWithPassword } from "#lib/auth/members/user-store";
import { hashToken } from "#lib/vault/opaque-token";
import { claimTries, clearTries, returnTry } from "./failure-store.ts";
import { loginThrottleKeys, type TryScopes } from "./login-throttle-keys.ts";
import { verifyPassword } from "./password.ts";

export type SignInOutcome =
  | { outcome: "signed_in"; user: { id: string; email: string; name: string | null } }
  | { outcome: "rejected" }
  | { outcome: "locked"; until: Date };

export type SignInTry = { email: string; password: string /** The hash of the browser's id. */; deviceHash?: string | null };

/**
 * Checks an email address and a password. An unknown address and a wrong
 * password look the same, in words and in time: both take the same two
 * statements and one check of a hash, and nothing is waited for after it.
 * Failures hold further tries up, by the scopes of try-scopes.ts; a try that is
 * held up writes nothing.
 */
export async function signIn({ email, password, deviceHash = null }: SignInTry, now: Date): Promise<SignInOutcome> {
  const user = await findForSignIn(email, deviceHash ?? "", now);
  const scopes = loginThrottleKeys(normalEmail(email), user?.knownBrowser ? deviceHash : null);
  const claim = await claimTries([...scopes.own, ...scopes.shared], now);
  if (claim.outcome === "locked") return claim;
  const matches = await verifyPassword(user?.passwordHash ?? null, password).catch((error) => giveBack(scopes, error));
  if (user && matches) {
    await forgive(scopes);
    return { outcome: "signed_in", user: { id: user.id, email: user.email, name: user.name } };
  }
  if (user) recordAnonymousSoon(user, claim.locksNow ? "sign_in.locked" : "sign_in.failed", { knownBrowser: user.knownBrowser });
  return { outcome: "rejected" };
}

/**
 * Checks the present password of somebody who is signed in already, as before
 * a change of it. Counted like a sign-in from this browser, so that a borrowed
 * session can't be used to guess.
 *
 * @param sessionHash stands for the browser
 */
export async function confirmPassword(user: UserWithPassword, password: string, sessionHash: string, now: Date): Promise<SignInOutcome> {
  const scopes = loginThrottleKeys(user.email, hashToken(`session ${sessionHash}`));
  const claim = await claimTries([...scopes.own, ...scopes.shared], now);
  if (claim.outcome === "locked") return claim;
  if (!(await verifyPassword(user.passwordHash, password).catch((error) => giveBack(scopes, error)))) return { outcome: "rejected" };
  await forgive(scopes);
  return { outcome: "signed_in", user };
}

/** A password that nobody looked at is no wrong one. @throws the error */
async function giveBack({ own, shared }: TryScopes, error: unknown): Promise<never> {
  for (const scope of [...own, ...shared]) await returnTry(scope);
  throw error;
}

/** Forgets the failures of a scope of one's own, and takes this try back in shared ones: it was right. */
export async function forgive({ own, shared }: TryScopes): Promise<void> {
  await clearTries(own);
  for (const scope of shared) await returnTry(scope);
}
