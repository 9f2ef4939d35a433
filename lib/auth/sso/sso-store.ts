import { insertAudit } from "#lib/auth/audit/audit-store";
import { insertMembership } from "#lib/auth/members/workspace-store";
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
