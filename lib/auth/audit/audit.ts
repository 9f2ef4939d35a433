import type { Actor } from "#lib/auth/actor";
import { type AuditDraft, type AuditWho, insertAudit } from "./audit-store.ts";

/** A requested change, as an API route or a flow describes it. */
export type AuditChange = Omit<AuditDraft, "who">;

/** Records a handler's changes; passed to the flow or store that knows before and after. */
export type Audit = {
  /**
   * Writes who did what into the audit log of the actor's workspace. Of values that stand in both `before` and
   * `after` only those that changed are kept.
   *
   * @param client the transaction of the change itself, so that neither is there without the other
   */
  record(change: AuditChange, client?: Parameters<typeof insertAudit>[2]): Promise<void>;
  /** Says that the request changed nothing: a dry run, or what was asked for stood already. */
  unchanged(): void;
};

/** The audit of one request, and whether the handler has used it. */
export type RequestAudit = Audit & { readonly settled: boolean };

/** The audit that records what this actor does. */
export function auditOf(actor: Actor): RequestAudit {
  let settled = false;
  return {
    get settled() {
      return settled;
    },
    unchanged: () => {
      settled = true;
    },
    record: async (change, client) => {
      settled = true;
      await insertAudit(actor.workspaceId, { ...change, who: whoOf(actor) }, client);
    },
  };
}

/** The public id of a session: enough to tell sessions apart, not enough to be one. */
export const sessionPublicId = (sessionHash: string): string => `ses_${sessionHash.slice(0, 16)}`;

function whoOf({ by }: Actor): AuditWho {
  if (by.kind === "key") return { kind: "key", id: by.keyId, name: by.name, credential: by.keyId };
  return { kind: "person", id: by.userId, name: by.email, credential: sessionPublicId(by.sessionHash) };
}
