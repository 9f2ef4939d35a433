import type { StepAnswer, StepInput } from "#lib/api/sign-in-step";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { findPasskey } from "#lib/auth/factors/passkey-store";
import { authenticationOptions, type ProvenPasskey, verifyAssertion } from "#lib/auth/factors/passkeys";
import { claimPasskey } from "#lib/auth/factors/prove-store";
import { findById } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { beginSession } from "#lib/auth/sessions/opaque-session";
import { cookiesAreSecure, cookieValue, sessionCookieLine } from "#lib/auth/sessions/session-cookie";
import { SESSION_SECONDS } from "#lib/auth/sessions/session-store";
import { knowDevice } from "#lib/auth/sign-in/device-cookie";
import { claimTries } from "#lib/auth/sign-in/failure-store";
import { passkeyThrottleKeys } from "#lib/auth/sign-in/login-throttle-keys";
import { forgive } from "#lib/auth/sign-in/sign-in";
import { AppError } from "#lib/contracts/api/app-error";
import type { PasskeyAssertion } from "#lib/contracts/auth/factors";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { tooMany } from "./prove-factor.ts";

const CHALLENGE_SECONDS = 300;

const challengeCookieName = () => (cookiesAreSecure() ? "__Host-signalbox.passkey" : "signalbox.passkey");
const challengeCookie = (value: string, seconds: number) =>
  `${challengeCookieName()}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${cookiesAreSecure() ? "; Secure" : ""}`;

const REJECTED = "This passkey was not accepted. Sign in with your password, or try again.";

/** Begins a sign-in by passkey alone, bound to this browser by a cookie. Limited by network. @throws AppError `too_many_requests` */
export async function challengeToSignIn({ now }: StepInput<null, object>): Promise<StepAnswer> {
  const claim = await claimTries(passkeyThrottleKeys().shared, now);
  if (claim.outcome === "locked") throw tooMany(claim.until, now);
  const browser = newToken();
  const options = await authenticationOptions(hashToken(browser), null, now);
  return { json: { options }, cookies: [challengeCookie(browser, CHALLENGE_SECONDS)] };
}

/** Signs in with a passkey that has verified its user: both factors in one. @throws AppError `invalid_request` */
export async function signInWithPasskey({ body, headers, now }: StepInput<null, { response: PasskeyAssertion }>): Promise<StepAnswer> {
  const browser = cookieValue(headers, challengeCookieName());
  const proven = browser === null ? null : await verifyAssertion(body.response, hashToken(browser), "sign_in", now);
  if (!proven || !(await mayEnter(proven, now))) {
    await recordRejected(body.response.id);
    throw new AppError("invalid_request", REJECTED);
  }
  const { userId } = proven.passkey;
  const { sessionId } = await beginSession(headers, { userId, method: "passkey", factor: "passkey", now });
  await forgive(passkeyThrottleKeys());
  const device = await knowDevice(headers, userId, now);
  return { cookies: [sessionCookieLine(sessionId, SESSION_SECONDS), device, challengeCookie("", 0)] };
}

const mayEnter = async (proven: ProvenPasskey, now: Date): Promise<boolean> =>
  (await listWorkspacesOf(proven.passkey.userId)).length > 0 && (await claimPasskey(proven, now));

async function recordRejected(credentialId: string): Promise<void> {
  const passkey = await findPasskey(credentialId);
  const account = passkey && (await findById(passkey.userId));
  if (account) await recordAnonymous(account, "sign_in.factor_rejected", { factor: "passkey", passkey: passkey.name });
}
