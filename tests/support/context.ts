import type { Actor } from "#lib/auth/actor";
import { auditOf, type Context } from "#lib/auth/audit/audit";

/** The context of a request by this caller. */
export const contextOf = (actor: Actor, given: Partial<Context> = {}): Context => ({
  workspaceId: actor.workspaceId,
  actor,
  now: new Date(),
  audit: auditOf(actor),
  ...given,
});
