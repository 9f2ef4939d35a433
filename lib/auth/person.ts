import { AppError } from "#lib/contracts/app-error";
import type { Actor } from "./actor.ts";

/** Somebody with a session. */
export type Person = Actor & { by: { kind: "session" } };

/**
 * Lets people through and API keys not: for what concerns an account.
 *
 * @throws AppError `conflict` for an API key
 */
export function requirePerson(actor: Actor): asserts actor is Person {
  if (actor.by.kind !== "session") throw new AppError("conflict", "This is for a person who is signed in, not for an API key.");
}
