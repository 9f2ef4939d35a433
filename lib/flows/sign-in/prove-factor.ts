import type { StepAnswer, StepInput } from "#lib/api/sign-in-step";
import { recordAnonymous } from "#lib/auth/audit/audit-anonymous";
import { authenticationOptions, verifyAssertion } from "#lib/auth/factors/passkeys";
import { completeWithFactor, type FactorProof } from "#lib/auth/factors/prove-store";
import { totpStep } from "#lib/auth/factors/totp";
import { findTotpSecret } from "#lib/auth/factors/totp-store";
import type { Person } from "#lib/auth/members/person";
import { sessionCookieLine } from "#lib/auth/sessions/session-cookie";
import { deviceCookieLine, deviceHashOf, knowDevice } from "#lib/auth/sign-in/device-cookie";
import { claimTries } from "#lib/auth/sign-in/failure-store";
import { findDevice } from "#lib/auth/sign-in/known-device-store";
import { factorThrottleKeys } from "#lib/auth/sign-in/login-throttle-keys";
import { forgive } from "#lib/auth/sign-in/sign-in";
import { AppError } from "#lib/contracts/api/app-error";
import type { ProveBody } from "#lib/contracts/auth/factors";
import { newToken } from "#lib/vault/opaque-token";

export async function challengeToProve({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireWaiting(actor);
  return { json: { options: await authenticationOptions(actor.by.sessionHash, actor.by.userId, now) } };
}

/** Completes a sign-in. An attempt is counted before it is checked. The returned cookie holds a new session ID.
 * @throws AppError `invalid_request` for a wrong or used proof, `too_many_requests`, `conflict` when the session needs none */
export async function proveFactor({ actor, body, headers, now }: StepInput<Person, ProveBody>): Promise<StepAnswer> {
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

export function tooMany(until: Date, now: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new AppError("too_many_requests", `Too many failed attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`, {
    retryAfterSeconds,
  });
}
