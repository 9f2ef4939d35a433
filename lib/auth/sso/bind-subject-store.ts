import type pg from "pg";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { countGivenKeys, endGivenAccess } from "#lib/auth/members/given-access-store";
import { forgetBrowsers } from "#lib/auth/sessions/rotation-store";
import { rightsChanged } from "#lib/auth/sessions/session-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";

type Account = { id: string; email: string };
/** `other_identity`: the account is bound to another subject of that provider. */
type Binding = { outcome: "bound"; passwordEnded: boolean } | { outcome: "other_identity" };

/**
 * Binds an account to the subject that it first came under. Whoever opened the account with a password has not shown that the
 * address is theirs; the subject has. So the password ends, and with it all sessions, known browsers and unused
 * invitations of the account; each workspace records it, with the number of API keys that go on working.
 */
export async function bindSubject(issuer: string, subject: string, account: Account, now: Date): Promise<Binding> {
  const binding = await inTransaction(pool(), async (client): Promise<Binding> => {
    const { rows } = await client.query<{ hasPassword: boolean }>(
      'SELECT password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR UPDATE',
      [account.id],
    );
    const known = await client.query<{ subject: string }>("SELECT subject FROM sso_identities WHERE issuer = $1 AND user_id = $2", [
      issuer,
      account.id,
    ]);
    const [bound] = known.rows;
    if (bound) return bound.subject === subject ? { outcome: "bound", passwordEnded: false } : { outcome: "other_identity" };
    await client.query("INSERT INTO sso_identities (issuer, subject, user_id) VALUES ($1, $2, $3)", [issuer, subject, account.id]);
    if (!rows[0]?.hasPassword) return { outcome: "bound", passwordEnded: false };
    await endPassword(client, account, now);
    return { outcome: "bound", passwordEnded: true };
  });
  if (binding.outcome === "bound" && binding.passwordEnded) rightsChanged("");
  return binding;
}

async function endPassword(client: pg.PoolClient, { id, email }: Account, now: Date): Promise<void> {
  await client.query("UPDATE users SET password_hash = NULL WHERE id = $1", [id]);
  const sessionsEnded = await forgetBrowsers(client, id);
  const { rows } = await client.query<{ workspaceId: WorkspaceId }>(
    'SELECT workspace_id AS "workspaceId" FROM memberships WHERE user_id = $1',
    [id],
  );
  const who = { kind: "person", id, name: email, credential: null } as const;
  for (const { workspaceId } of rows) {
    const audit = {
      record: (change: Omit<Parameters<typeof insertAudit>[1], "who">) => insertAudit(workspaceId, { ...change, who }, client),
      unchanged: () => undefined,
    };
    const { invitesRevoked } = await endGivenAccess(client, { workspaceId }, { userId: id, email }, { apiKeys: false, now }, audit);
    const workingApiKeys = await countGivenKeys(client, workspaceId, id, now);
    const target = { kind: "account", id, name: email };
    await audit.record({ action: "password.ended", target, after: { sessionsEnded, invitesRevoked, workingApiKeys } });
  }
}
