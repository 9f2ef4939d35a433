import type { Actor } from "#lib/auth/actor";
import { auditOf, type Context } from "#lib/auth/audit/audit";
import { noAudit } from "./no-audit.ts";

/** The context of a request by this caller. */
export const contextOf = (actor: Actor, given: Partial<Context> = {}): Context => ({
  workspaceId: actor.workspaceId,
  actor,
  now: new Date(),
  audit: auditOf(actor),
  ...given,
});

/** The same, for tests of a flow that look at something else than its audit entry. */
export const unaudited = (actor: Actor, given: Partial<Context> = {}): Context => contextOf(actor, { audit: noAudit, ...given });
