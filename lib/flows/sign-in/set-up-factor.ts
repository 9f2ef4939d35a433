import type { StepAnswer, StepInput } from "#lib/api/sign-in-step";
import type { Audit } from "#lib/auth/audit/audit";
import { addFactor, confirmPerson, type NewFactor } from "#lib/auth/factors/change-store";
import { registrationOptions, verifyRegistration } from "#lib/auth/factors/passkeys";
import { newTotpSecret, totpQr, totpStep } from "#lib/auth/factors/totp";
import { findTotpSecret, insertTotpSecret } from "#lib/auth/factors/totp-store";
import { type Person, requireConfirmed } from "#lib/auth/members/person";
import { findByEmail } from "#lib/auth/members/user-store";
import { sessionCookieLine } from "#lib/auth/sessions/session-cookie";
import { confirmPassword } from "#lib/auth/sign-in/sign-in";
import { AppError } from "#lib/contracts/api/app-error";
import type { PasskeyBody } from "#lib/contracts/auth/factors";
import { tooMany } from "./prove-factor.ts";

/** @throws AppError `confirmation_required`, `conflict` */
export async function startTotp({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireConfirmed(actor);
  const { userId, email } = actor.by;
  const secret = newTotpSecret();
  if (!(await insertTotpSecret(userId, secret, now)))
    throw new AppError("conflict", "An authenticator app is already set up. Remove it first.");
  return { json: { secret, qr: totpQr(secret, email) } };
}

/** @throws AppError `invalid_request` for a wrong code, `confirmation_required`, `conflict` */
export async function setUpTotp({ actor, body, now, audit }: StepInput<Person, { code: string }>): Promise<StepAnswer> {
  requireConfirmed(actor);
  const started = await findTotpSecret(actor.by.userId, "started");
  if (started === null) throw new AppError("conflict", "Start again: this set-up was completed or replaced.");
  const step = totpStep(started.secret, body.code, now);
  if (step === null) throw wrong("code", "This code is wrong. Enter the one that the app shows now, and check your phone's clock.");
  return added(actor, { kind: "totp", step, sealed: started.sealed }, now, audit);
}

export async function startPasskey({ actor, now }: StepInput<Person, object>): Promise<StepAnswer> {
  requireConfirmed(actor);
  return { json: { options: await registrationOptions(actor.by, actor.by.sessionHash, now) } };
}

/** @throws AppError `invalid_request`, `confirmation_required`, `conflict` */
export async function setUpPasskey({ actor, body, now, audit }: StepInput<Person, PasskeyBody>): Promise<StepAnswer> {
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
export async function confirmByPassword({ actor, body, now, audit }: StepInput<Person, { password: string }>): Promise<StepAnswer> {
  const user = await findByEmail(actor.by.email);
  if (!user?.passwordHash) throw new AppError("conflict", "This account has no password: you sign in with single sign-on.");
  const confirmed = await confirmPassword(user, body.password, actor.by.sessionHash, now);
  if (confirmed.outcome === "locked") throw tooMany(confirmed.until, now);
  if (confirmed.outcome === "rejected") throw wrong("password", "The password is incorrect.");
  await confirmPerson(actor, now, audit);
  return {};
}

const wrong = (path: string, message: string) => new AppError("invalid_request", message, { errors: [{ path, message }] });
