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
