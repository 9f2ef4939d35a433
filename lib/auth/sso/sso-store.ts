import type pg from "pg";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { deleteFactors } from "#lib/auth/factors/factor-store";
import { countGivenKeys, endGivenAccess } from "#lib/auth/members/given-access-store";
import { insertMembership } from "#lib/auth/members/workspace-store";
import { forgetBrowsers } from "#lib/auth/sessions/rotation-store";
import { rightsChanged } from "#lib/auth/sessions/session-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";

/** Returns who came from that provider under that subject before. */
export async function findBySubject(issuer: string, subject: string): Promise<string | null> {
  const found = 'SELECT user_id AS "userId" FROM sso_identities WHERE issuer = $1 AND subject = $2';
  const { rows } = await pool().query<{ userId: string }>(found, [issuer, subject]);
  return rows[0]?.userId ?? null;
}

type NewMember = { issuer: string; subject: string; email: string; name: string | null; role: Role };

/** Makes an account without a password, and a member of it. */
export async function insertSsoMember(workspaceId: WorkspaceId, { issuer, subject, email, name, role }: NewMember): Promise<string> {
  const userId = newId("usr");
  await inTransaction(pool(), async (client) => {
    await client.query("INSERT INTO users (id, email, name) VALUES ($1, $2, $3)", [userId, email, name]);
    await client.query("INSERT INTO sso_identities (issuer, subject, user_id) VALUES ($1, $2, $3)", [issuer, subject, userId]);
    await insertMembership(client, workspaceId, userId, role);
    const who = { kind: "person", id: userId, name: email, credential: null } as const;
    const target = { kind: "member", id: userId, name: email };
    await insertAudit(workspaceId, { action: "member.joined", who, target, after: { role, by: "single sign-on" } }, client);
  });
  return userId;
}

type Account = { id: string; email: string };
/** `other_identity`: the account is bound to another subject of that provider. */
type Binding = { outcome: "bound"; passwordEnded: boolean } | { outcome: "other_identity" };

/**
 * Binds an account to the subject that it first came under. Whoever opened the account with a password has not shown that the
 * address is theirs; the subject has. So the password ends, and with it all second factors, sessions, known browsers and unused
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
    const factorsRemoved = await deleteFactors(client, account.id);
    if (!rows[0]?.hasPassword) return { outcome: "bound", passwordEnded: false };
    await endPassword(client, account, factorsRemoved, now);
    return { outcome: "bound", passwordEnded: true };
  });
  if (binding.outcome === "bound" && binding.passwordEnded) rightsChanged("");
  return binding;
}

async function endPassword(client: pg.PoolClient, { id, email }: Account, factorsRemoved: number, now: Date): Promise<void> {
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
    await audit.record({ action: "password.ended", target, after: { sessionsEnded, factorsRemoved, invitesRevoked, workingApiKeys } });
  }
}
