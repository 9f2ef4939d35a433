import type { Actor } from "#lib/auth/actor";
import { AppError } from "#lib/contracts/api/app-error";

export type Person = Actor & { by: { kind: "session" } };

/** @throws AppError `conflict` for an API key */
export function requirePerson(actor: Actor): asserts actor is Person {
  if (actor.by.kind !== "session") throw new AppError("conflict", "This requires a signed-in user, not an API key.");
}

/** Requires people to have re-authenticated within 15 minutes; API keys pass, for what gives access. */
export function requireProof({ by }: Actor): void {
  if (by.kind !== "session" || by.confirmed) return;
  throw by.method === "sso"
    ? new AppError("sso_confirmation_required", "This changes who has access. Sign in again with single sign-on, then try again.")
    : new AppError("confirmation_required", "This changes who has access. Enter your password, then try again.");
}

/** Requires a person who has re-authenticated, for what concerns how somebody signs in. */
export function requireConfirmed(actor: Actor): asserts actor is Person {
  requirePerson(actor);
  requireProof(actor);
}
