import type { Actor } from "#lib/auth/actor";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type AuditDraft, type AuditWho, insertAudit } from "./audit-store.ts";

export type AuditChange = Omit<AuditDraft, "who">;

export type Audit = {
  /** Appends an entry. @param client the transaction of the change, so that neither exists without the other */
  record(change: AuditChange, client?: Parameters<typeof insertAudit>[2]): Promise<void>;
  /** Declares that nothing changed: a dry run, or it was so already. */
  unchanged(): void;
};

/** `settled`: the handler recorded a change or declared that there is none. */
export type RequestAudit = Audit & { readonly settled: boolean };

/** Who does something in which workspace, at what time, and where it is recorded: made where a request begins and handed on whole. */
export type Context = { workspaceId: WorkspaceId; actor: Actor; now: Date; audit: Audit };

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

/** Returns the audit of a change by somebody who has no session or key, within its transaction: single sign-on makes it. */
export const auditOfWho = (workspaceId: WorkspaceId, who: AuditWho, client: Parameters<typeof insertAudit>[2]): Audit => ({
  record: (change) => insertAudit(workspaceId, { ...change, who }, client),
  unchanged: () => undefined,
});

/** Returns an ID that tells sessions apart but opens none. */
export const sessionPublicId = (sessionHash: string): string => `ses_${sessionHash.slice(0, 16)}`;

function whoOf({ by }: Actor): AuditWho {
  if (by.kind === "key") return { kind: "key", id: by.keyId, name: by.name, credential: by.keyId };
  return { kind: "person", id: by.userId, name: by.email, credential: sessionPublicId(by.sessionHash) };
}
