import type { Actor } from "./actor.ts";
import { type AuditDraft, type AuditWho, insertAudit } from "./audit-store.ts";

/** What an API route or a flow has to say of a change that somebody asked for. */
export type AuditChange = Omit<AuditDraft, "who">;

const noted = new WeakSet<Actor>();

/**
 * Writes who did what into the audit log of the actor's workspace.
 *
 * @param client the transaction of the change itself, so that neither is there without the other
 */
export async function recordAudit(actor: Actor, change: AuditChange, client?: Parameters<typeof insertAudit>[2]): Promise<void> {
  noted.add(actor);
  await insertAudit(actor.workspaceId, { ...change, who: whoOf(actor) }, client);
}

/** Says that the request in hand changed nothing (a dry run), so that none is recorded. */
export const nothingChanged = (actor: Actor): void => void noted.add(actor);

/** True when the request of this actor has been recorded already, or said that it changed nothing. */
export const isRecorded = (actor: Actor): boolean => noted.has(actor);

/** The public id of a session: enough to tell sessions apart, not enough to be one. */
export const sessionPublicId = (sessionHash: string): string => `ses_${sessionHash.slice(0, 16)}`;

function whoOf({ by }: Actor): AuditWho {
  if (by.kind === "key") return { kind: "key", id: by.keyId, name: by.name, credential: by.keyId };
  return { kind: "person", id: by.userId, name: by.email, credential: sessionPublicId(by.sessionHash) };
}
