import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { PendingStep } from "#lib/contracts/auth/account";
import type { Role } from "#lib/contracts/auth/settings";
import { can, isOfInstallation, type Operation } from "./permissions.ts";

/** A person with a session or a program with an API key. */
export type Actor = {
  workspaceId: WorkspaceId;
  workspaceName: string;
  role: Role;
  /** True in the first workspace, which runs the installation. */
  runsInstallation?: boolean;
  by:
    | {
        kind: "session";
        sessionHash: string;
        userId: string;
        email: string;
        name: string | null;
        /** Required before the session opens anything; actors of pages and API routes never have it. */
        pendingStep?: PendingStep | null;
        method?: string;
        /** True if the person re-authenticated within the last 15 minutes. */
        confirmed?: boolean;
      }
    | { kind: "key"; keyId: string; name: string };
};

/** Returns an email address or `key <name>`, for histories. */
export const actorName = (actor: Actor): string => (actor.by.kind === "session" ? actor.by.email : `key ${actor.by.name}`);

export const callerIdOf = ({ by }: Actor): string => (by.kind === "session" ? by.userId : by.keyId);

/** Returns the caller as rows keep it: the name stays that of the time. */
export const callerOf = (actor: Actor): { id: string; name: string } => ({ id: callerIdOf(actor), name: actorName(actor) });

/** Returns null for an API key. */
export const userIdOf = ({ by }: Actor): string | null => (by.kind === "session" ? by.userId : null);

export const mayDo = (actor: Actor, operation: Operation): boolean =>
  can(actor.role, operation) && (!isOfInstallation(operation) || actor.runsInstallation === true);

/** @throws AppError `unauthenticated` without an actor, `forbidden` without the permission */
export function authorize(actor: Actor | null, operation: Operation): asserts actor is Actor {
  if (!actor) throw new AppError("unauthenticated", "Sign in, or send Authorization: Bearer sbx_… with a valid API key.");
  if (!can(actor.role, operation))
    throw new AppError("forbidden", `Your role, ${actor.role}, doesn't allow this. Ask an owner or admin of ${actor.workspaceName}.`);
  if (!mayDo(actor, operation))
    throw new AppError("forbidden", "This affects the whole installation. Only owners and admins of its first workspace can do it.");
}

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
