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

export type SignInTry = { email: string; password: string; deviceHash?: string | null };

/** Checks an email address and a password. Unknown and wrong take the same statements and one hash check: timing reveals nothing. */
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

/** Checks a signed-in person's password, counted by session, so that a borrowed session can't be used to guess. */
export async function confirmPassword(user: UserWithPassword, password: string, sessionHash: string, now: Date): Promise<SignInOutcome> {
  const scopes = loginThrottleKeys(user.email, hashToken(`session ${sessionHash}`));
  const claim = await claimTries([...scopes.own, ...scopes.shared], now);
  if (claim.outcome === "locked") return claim;
  if (!(await verifyPassword(user.passwordHash, password).catch((error) => giveBack(scopes, error)))) return { outcome: "rejected" };
  await forgive(scopes);
  return { outcome: "signed_in", user };
}

/** Returns the tries: a password that was not checked is not wrong. */
async function giveBack({ own, shared }: TryScopes, error: unknown): Promise<never> {
  for (const scope of [...own, ...shared]) await returnTry(scope);
  throw error;
}

/** Clears own scopes, and takes only this try back in shared ones. */
export async function forgive({ own, shared }: TryScopes): Promise<void> {
  await clearTries(own);
  for (const scope of shared) await returnTry(scope);
}
