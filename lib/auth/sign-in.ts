import { hashToken } from "#lib/vault/opaque-token";
import { recordStranger } from "./audit-strangers.ts";
import { isKnownDevice } from "./known-device-store.ts";
import { verifyPassword } from "./password.ts";
import { claimTry, clearTries, returnTry } from "./sign-in-failure-store.ts";
import { type TryScopes, tryScopes } from "./try-scopes.ts";
import { findByEmail, normalEmail, type UserWithPassword } from "./user-store.ts";

export type SignInOutcome =
  | { outcome: "signed_in"; user: { id: string; email: string; name: string | null } }
  | { outcome: "refused" }
  | { outcome: "locked"; until: Date };

export type SignInTry = { email: string; password: string /** The hash of the browser's id. */; deviceHash?: string | null };

/**
 * Checks an e-mail address and a password. An unknown address and a wrong
 * password look the same, in words and in time; failures hold further tries
 * up, by the scopes of try-scopes.ts.
 */
export async function signIn({ email, password, deviceHash = null }: SignInTry, now = new Date()): Promise<SignInOutcome> {
  const user = await findByEmail(email);
  const device = user && deviceHash && (await isKnownDevice(deviceHash, user.id, now)) ? deviceHash : null;
  const scopes = tryScopes(normalEmail(email), device);
  const claim = await claimAll(scopes, now);
  if (claim.outcome === "locked") return claim;
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (user && matches) {
    await forgive(scopes);
    return { outcome: "signed_in", user: { id: user.id, email: user.email, name: user.name } };
  }
  if (user) await recordStranger(user, claim.locksNow ? "sign_in.locked" : "sign_in.failed", { knownBrowser: device !== null });
  return { outcome: "refused" };
}

/**
 * Checks the present password of somebody who is signed in already, as before
 * a change of it. Counted like a sign-in from this browser, so that a borrowed
 * session can't be used to guess.
 *
 * @param sessionHash stands for the browser
 */
export async function confirmPassword(user: UserWithPassword, password: string, sessionHash: string, now: Date): Promise<SignInOutcome> {
  const scopes = tryScopes(user.email, hashToken(`session ${sessionHash}`));
  const claim = await claimAll(scopes, now);
  if (claim.outcome === "locked") return claim;
  if (!(await verifyPassword(user.passwordHash, password))) return { outcome: "refused" };
  await forgive(scopes);
  return { outcome: "signed_in", user };
}

type Claim = { outcome: "granted"; locksNow: boolean } | { outcome: "locked"; until: Date };

async function claimAll({ own, shared }: TryScopes, now: Date): Promise<Claim> {
  let locksNow = false;
  for (const scope of [...own, ...shared]) {
    const claim = await claimTry(scope, now);
    if (claim.outcome === "locked") return claim;
    locksNow ||= claim.locksNow;
  }
  return { outcome: "granted", locksNow };
}

async function forgive({ own, shared }: TryScopes): Promise<void> {
  await clearTries(own);
  for (const scope of shared) await returnTry(scope);
}
