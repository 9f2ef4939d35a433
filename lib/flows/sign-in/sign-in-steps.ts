import { anonymousStep, personStep, type StepAnswer, type StepInput } from "#lib/api/sign-in-step";
import { type Person, requireConfirmed } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import {
  cookieName,
  cookiesAreSecure,
  cookieValue,
  deviceCookieLine,
  deviceHashOf,
  knowDevice,
  sessionCookieLine,
} from "#lib/auth/credentials";
import { findTotpSecret, insertTotpSecret } from "#lib/auth/factors/factor-store";
import {
  authenticationOptions,
  newTotpSecret,
  type ProvenPasskey,
  registrationOptions,
  totpQr,
  totpStep,
  verifyAssertion,
  verifyRegistration,
} from "#lib/auth/factors/factors";
import { findPasskey } from "#lib/auth/factors/passkey-store";
import {
  addFactor,
  claimPasskey,
  completeWithFactor,
  confirmPerson,
  type FactorProof,
  type NewFactor,
} from "#lib/auth/factors/second-factor-store";
import { findByEmail, findById } from "#lib/auth/members/user-store";
import { listWorkspacesOf } from "#lib/auth/members/workspace-store";
import { beginSession } from "#lib/auth/opaque-session";
import { SESSION_SECONDS } from "#lib/auth/session-store";
import { claimTries, findDevice } from "#lib/auth/sign-in/attempt-store";
import { confirmPassword, factorThrottleKeys, forgive, passkeyThrottleKeys } from "#lib/auth/sign-in/sign-in";
import { AppError } from "#lib/contracts/api/app-error";
import {
  confirmBody,
  nothing,
  type PasskeyAssertion,
  type PasskeyBody,
  type ProveBody,
  passkeyBody,
  passkeySignInBody,
  proveBody,
  totpCodeBody,
} from "#lib/contracts/auth/account";
import { hashToken, newToken } from "#lib/vault/opaque-token";

const CHALLENGE_SECONDS = 300;

const challengeCookie = (value: string, seconds: number) =>
  `${cookieName("passkey")}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${cookiesAreSecure() ? "; Secure" : ""}`;

const REJECTED = "This passkey was not accepted. Sign in with your password, or try again.";

/** Begins a sign-in by passkey alone, bound to this browser by a cookie. Limited by network. @throws AppError `too_many_requests` */
async function challengeToSignIn({ now }: StepInput<null, object>): Promise<StepAnswer> {
  const claim = await claimTries(passkeyThrottleKeys().shared, now);
  if (claim.outcome === "locked") throw tooMany(claim.until, now);
  const browser = newToken();
  const options = await authenticationOptions(hashToken(browser), null, now);
  return { json: { options }, cookies: [challengeCookie(browser, CHALLENGE_SECONDS)] };
}

/** Signs in with a passkey that has verified its user: both factors in one. @throws AppError `invalid_request` */
async function signInWithPasskey({ body, headers, now }: StepInput<null, { response: PasskeyAssertion }>): Promise<StepAnswer> {
  const browser = cookieValue(headers, cookieName("passkey"));
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

async function challengeToProve({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireWaiting(actor);
  return { json: { options: await authenticationOptions(actor.by.sessionHash, actor.by.userId, now) } };
}

/** Completes a sign-in. An attempt is counted before it is checked. The returned cookie holds a new session ID.
 * @throws AppError `invalid_request` for a wrong or used proof, `too_many_requests`, `conflict` when the session needs none */
async function proveFactor({ actor, body, headers, now }: StepInput<Person, ProveBody>): Promise<StepAnswer> {
  requireWaiting(actor);
  const { userId, email, name } = actor.by;
  const deviceHash = deviceHashOf(headers);
  const { known } = await findDevice(deviceHash, userId, now);
  const scopes = factorThrottleKeys(userId, known ? deviceHash : null);
  const claim = await claimTries(scopes.own, now);
  if (claim.outcome === "locked") throw tooMany(claim.until, now);
  const proof = await check(actor, body.proof, now);
  const sessionId = newToken();
  const deviceId = body.remember ? newToken() : null;
  const completion = { sessionId, deviceId, userAgent: headers.get("user-agent"), now };
  const seconds = proof && (await completeWithFactor(actor, proof, completion));
  if (seconds === null) {
    await recordAnonymous({ id: userId, email, name }, "sign_in.factor_rejected", { factor: body.proof.kind });
    throw rejected(body.proof.kind);
  }
  await forgive(scopes);
  const device = deviceId ? deviceCookieLine(deviceId) : await knowDevice(headers, userId, now);
  return { cookies: [sessionCookieLine(sessionId, seconds), device] };
}

async function check({ by }: Person, proof: ProveBody["proof"], now: Date): Promise<FactorProof | null> {
  if (proof.kind === "recovery_code") return proof;
  if (proof.kind === "totp") {
    const confirmed = await findTotpSecret(by.userId, "confirmed");
    const step = confirmed === null ? null : totpStep(confirmed.secret, proof.code, now);
    return step === null ? null : { kind: "totp", step };
  }
  const proven = await verifyAssertion(proof.response, by.sessionHash, "prove", now);
  return proven?.passkey.userId === by.userId ? { kind: "passkey", ...proven } : null;
}

function requireWaiting({ by }: Person): void {
  if (by.pendingStep !== "prove") throw new AppError("conflict", "This session needs no second factor. Reload the page.");
}

const WORDS: Record<ProveBody["proof"]["kind"], string> = {
  totp: "This code is wrong or was already used. Wait for the next one in your authenticator app.",
  recovery_code: "This recovery code is wrong or was already used.",
  passkey: "This passkey was not accepted. Try again, or use another second factor.",
};

const rejected = (kind: ProveBody["proof"]["kind"]) =>
  new AppError("invalid_request", WORDS[kind], { errors: [{ path: "proof.code", message: WORDS[kind] }] });

function tooMany(until: Date, now: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError("too_many_requests", `Too many failed attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`, {
    retryAfterSeconds,
  });
}

/** @throws AppError `confirmation_required`, `conflict` */
async function startTotp({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireConfirmed(actor);
  const { userId, email } = actor.by;
  const secret = newTotpSecret();
  if (!(await insertTotpSecret(userId, secret, now)))
    throw new AppError("conflict", "An authenticator app is already set up. Remove it first.");
  return { json: { secret, qr: totpQr(secret, email) } };
}

/** @throws AppError `invalid_request` for a wrong code, `confirmation_required`, `conflict` */
async function setUpTotp({ actor, body, now, audit }: StepInput<Person, { code: string }>): Promise<StepAnswer> {
  requireConfirmed(actor);
  const started = await findTotpSecret(actor.by.userId, "started");
  if (started === null) throw new AppError("conflict", "Start again: this set-up was completed or replaced.");
  const step = totpStep(started.secret, body.code, now);
  if (step === null) throw wrong("code", "This code is wrong. Enter the one that the app shows now, and check your phone's clock.");
  return added(actor, { kind: "totp", step, sealed: started.sealed }, now, audit);
}

async function startPasskey({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireConfirmed(actor);
  return { json: { options: await registrationOptions(actor.by, actor.by.sessionHash, now) } };
}

/** @throws AppError `invalid_request`, `confirmation_required`, `conflict` */
async function setUpPasskey({ actor, body, now, audit }: StepInput<Person, PasskeyBody>): Promise<StepAnswer> {
  requireConfirmed(actor);
  const passkey = await verifyRegistration(body, actor.by.sessionHash, now);
  if (!passkey) throw new AppError("invalid_request", "The passkey could not be verified. Try again.");
  return added(actor, { kind: "passkey", passkey }, now, audit);
}

async function added(actor: Person, factor: NewFactor, now: Date, audit: Audit): Promise<StepAnswer> {
  const { recoveryCodes, session } = await addFactor(actor, factor, now, audit);
  return { json: { recoveryCodes }, cookies: session ? [sessionCookieLine(session.id, session.seconds)] : [] };
}

/** Confirms the person by password, counted like a sign-in. @throws AppError `invalid_request`, `too_many_requests` */
async function confirmByPassword({ actor, body, now, audit }: StepInput<Person, { password: string }>): Promise<StepAnswer> {
  const user = await findByEmail(actor.by.email);
  if (!user?.passwordHash) throw new AppError("conflict", "This account has no password: you sign in with single sign-on.");
  const confirmed = await confirmPassword(user, body.password, actor.by.sessionHash, now);
  if (confirmed.outcome === "locked") throw tooMany(confirmed.until, now);
  if (confirmed.outcome === "rejected") throw wrong("password", "The password is incorrect.");
  await confirmPerson(actor, now, audit);
  return {};
}

const wrong = (path: string, message: string) => new AppError("invalid_request", message, { errors: [{ path, message }] });

/** Steps below /api/sign-in/, with the waiting session that may take each. */
export const SIGN_IN_STEPS = new Map([
  ["passkey-challenge", anonymousStep(nothing, challengeToSignIn)],
  ["passkey", anonymousStep(passkeySignInBody, signInWithPasskey)],
  ["proof-challenge", personStep("prove", nothing, challengeToProve)],
  ["proof", personStep("prove", proveBody, proveFactor)],
  ["confirmation", personStep("set_up", confirmBody, confirmByPassword)],
  ["new-totp", personStep("set_up", nothing, startTotp)],
  ["totp", personStep("set_up", totpCodeBody, setUpTotp)],
  ["new-passkey", personStep("set_up", nothing, startPasskey)],
  ["passkey-registration", personStep("set_up", passkeyBody, setUpPasskey)],
]);
