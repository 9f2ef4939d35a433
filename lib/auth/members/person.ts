import type { Actor } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/api/app-error";

/** Somebody with a session. */
export type Person = Actor & { by: { kind: "session" } };

/**
 * Lets people through and API keys not: for what concerns an account.
 *
 * @throws AppError `conflict` for an API key
 */
export function requirePerson(actor: Actor): asserts actor is Person {
  if (actor.by.kind !== "session") throw new AppError("conflict", "This requires a signed-in user, not an API key.");
}

/**
 * Lets people through who proved who they are within the last 15 minutes, and API keys: for what gives access.
 *
 * @throws AppError `confirmation_required`, or `sso_confirmation_required` where single sign-on is the proof
 */
export function requireProof({ by }: Actor): void {
  if (by.kind !== "session" || by.confirmed) return;
  throw by.method === "sso"
    ? new AppError("sso_confirmation_required", "This changes who has access. Sign in again with single sign-on, then try again.")
    : new AppError("confirmation_required", "This changes who has access. Enter your password, then try again.");
}

/**
 * The same for people alone: for what concerns how somebody signs in.
 *
 * @throws AppError `confirmation_required`, `sso_confirmation_required`; `conflict` for an API key
 */
export function requireConfirmed(actor: Actor): asserts actor is Person {
  requirePerson(actor);
  requireProof(actor);
}
