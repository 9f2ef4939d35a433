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
 * Lets people through who proved who they are within the last ten minutes: for what concerns how somebody signs in.
 *
 * @throws AppError `confirmation_required`; `conflict` for an API key
 */
export function requireConfirmed(actor: Actor): asserts actor is Person {
  requirePerson(actor);
  if (!actor.by.confirmed)
    throw new AppError("confirmation_required", "This changes how people sign in. Enter your password, then try again.");
}
