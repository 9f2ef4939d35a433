import { insertAudit } from "./audit-store.ts";
import { workspacesOf } from "./workspace-store.ts";

/**
 * Records what somebody who has not proved to be this person did at sign-in,
 * in each workspace that the account opens. Tries at accounts that don't exist
 * concern no workspace and are not recorded.
 */
export async function recordStranger(
  account: { id: string; email: string; name: string | null },
  action: "sign_in.failed" | "sign_in.locked" | "sign_in.refused",
  after: Record<string, unknown>,
): Promise<void> {
  const who = { kind: "stranger", id: null, name: account.email, credential: null } as const;
  const target = { kind: "account", id: account.id, name: account.email };
  for (const { id } of await workspacesOf(account.id)) await insertAudit(id, { action, who, target, after });
}
