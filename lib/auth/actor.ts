import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { PendingStep } from "#lib/contracts/auth/factors";
import type { Role } from "#lib/contracts/auth/settings";
import { can, isOfInstallation, type Operation } from "./permissions.ts";

/** The caller, its workspace and its role: a person with a session or a program with an API key. */
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
        /** Step required before the session opens anything; no actor of a page or an API route has it. */
        pendingStep?: PendingStep | null;
        /** Method of the sign-in: password, passkey, sso, invitation. */
        method?: string;
        /** True when the person proved who they are within the last 15 minutes. */
        confirmed?: boolean;
      }
    | { kind: "key"; keyId: string; name: string };
};

/** The actor's name for histories: an email address or `key <name>`. */
export const actorName = (actor: Actor): string => (actor.by.kind === "session" ? actor.by.email : `key ${actor.by.name}`);

/** Returns the ID of the person or the API key behind the actor, in whichever workspace. */
export const callerIdOf = ({ by }: Actor): string => (by.kind === "session" ? by.userId : by.keyId);

/** Returns the person or the API key behind the actor, as rows keep who made them: the name is that of the time. */
export const callerOf = (actor: Actor): { id: string; name: string } => ({ id: callerIdOf(actor), name: actorName(actor) });

/** The account of the person who asks; null for an API key. */
export const userIdOf = ({ by }: Actor): string | null => (by.kind === "session" ? by.userId : null);

/** True when the actor may do the operation: by its role, and by its workspace where the operation is on the whole installation. */
export const mayDo = (actor: Actor, operation: Operation): boolean =>
  can(actor.role, operation) && (!isOfInstallation(operation) || actor.runsInstallation === true);

/**
 * Lets the actor through when it may do the operation.
 *
 * @throws AppError `unauthenticated` without an actor, `forbidden` when its role or its workspace does not allow it
 */
export function authorize(actor: Actor | null, operation: Operation): asserts actor is Actor {
  if (!actor) throw new AppError("unauthenticated", "Sign in, or send Authorization: Bearer sbx_… with a valid API key.");
  if (!can(actor.role, operation))
    throw new AppError("forbidden", `Your role, ${actor.role}, doesn't allow this. Ask an owner or admin of ${actor.workspaceName}.`);
  if (!mayDo(actor, operation))
    throw new AppError("forbidden", "This affects the whole installation. Only owners and admins of its first workspace can do it.");
}
