import { requirePerson } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { recordAnonymousSoon } from "#lib/auth/audit/audit-anonymous";
import { deviceHashOf } from "#lib/auth/credentials";
import { findByEmail, findForSignIn, normalEmail, type UserWithPassword } from "#lib/auth/members/user-store";
import { replacePassword } from "#lib/auth/session-store";
import { AppError } from "#lib/contracts/api/app-error";
import type { ChangePasswordBody } from "#lib/contracts/auth/account";
import { networkOf, requestIp } from "#lib/http/request-head";
import { hashToken } from "#lib/vault/opaque-token";
import { claimTries, clearTries, returnTry, type TryScope } from "./attempt-store.ts";
import { hashPassword, passwordProblem, verifyPassword } from "./password.ts";

type SignInOutcome =
  | { outcome: "signed_in"; user: { id: string; email: string; name: string | null } }
  | { outcome: "rejected" }
  | { outcome: "locked"; until: Date };

type SignInTry = { email: string; password: string; deviceHash?: string | null };

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

/** `own`: of this account and network; `shared`: with others. */
type TryScopes = { own: TryScope[]; shared: TryScope[] };

/** Wrong passwords before each further try costs a wait. */
const FREE_TRIES = 10;
/** The same for an account from everywhere, and for an address over all accounts. */
const SHARED_FREE_TRIES = 100;

const scope = (freeTries: number, ...parts: string[]): TryScope => ({ scopeHash: hashToken(parts.join("|")), freeTries });

/** Counts factor tries per known browser: only who knows the password gets here, so no stranger can lock the person out. */
export const factorThrottleKeys = (userId: string, knownDevice: string | null): TryScopes => ({
  own: [knownDevice ? scope(FREE_TRIES, "factor and device", userId, knownDevice) : scope(FREE_TRIES, "factor", userId)],
  shared: [],
});

export function passkeyThrottleKeys(): TryScopes {
  const address = requestIp();
  return { own: [], shared: [scope(SHARED_FREE_TRIES, "passkey and network", address === null ? "unknown" : networkOf(address))] };
}

/**
 * Counts password tries. A browser with an earlier sign-in counts alone, so that nobody else's failures lock it. Others count by account
 * and network, and by each alone, against many addresses and accounts. The address is the connection's, never a header's.
 */
function loginThrottleKeys(email: string, knownDevice: string | null): TryScopes {
  if (knownDevice) return { own: [scope(FREE_TRIES, "device", knownDevice, email)], shared: [] };
  const address = requestIp();
  const network = address === null ? null : networkOf(address);
  return {
    own: [scope(FREE_TRIES, "account and network", email, network ?? "unknown")],
    shared: [scope(SHARED_FREE_TRIES, "account", email), ...(network === null ? [] : [scope(SHARED_FREE_TRIES, "network", network)])],
  };
}

const wrong = (path: string, message: string) => new AppError("invalid_request", message, { errors: [{ path, message }] });

/** Changes one's own password and session ID. @returns the Set-Cookie line @throws AppError `invalid_request`, `too_many_requests` */
export async function changePassword(
  { actor, now, audit }: Context,
  headers: Headers,
  { current, next }: ChangePasswordBody,
): Promise<string> {
  requirePerson(actor);
  const user = await findByEmail(actor.by.email);
  if (!user?.passwordHash) throw new AppError("conflict", "This account has no password: you sign in with single sign-on.");
  const confirmed = await confirmPassword(user, current, actor.by.sessionHash, now);
  if (confirmed.outcome === "locked")
    throw new AppError("too_many_requests", "Too many wrong passwords. Wait a few minutes, then try again.");
  if (confirmed.outcome === "rejected") throw wrong("current", "The current password is incorrect.");
  const words = passwordProblem(next, user.email);
  if (words) throw wrong("next", words);
  if (next.normalize() === current.normalize())
    throw wrong("next", "The new password is the same as the current one. Choose a different one.");
  return replacePassword(actor, await hashPassword(next), deviceHashOf(headers), audit);
}
