import type pg from "pg";
import { auditOfWho } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { deleteFactors } from "#lib/auth/factors/factor-store";
import { countGivenKeys, endGivenAccess } from "#lib/auth/members/member-store";
import { insertMembership } from "#lib/auth/members/workspace-store";
import { forgetBrowsers, rightsChanged } from "#lib/auth/session-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

export async function findBySubject(issuer: string, subject: string): Promise<string | null> {
  const found = await prisma().ssoIdentity.findFirst({ where: { issuer, subject }, select: { userId: true } });
  return found?.userId ?? null;
}

type NewMember = { issuer: string; subject: string; email: string; name: string | null; role: Role };

/** Null if another browser's sign-in has just made the account. */
export async function insertSsoMember(workspaceId: WorkspaceId, { issuer, subject, email, name, role }: NewMember): Promise<string | null> {
  const userId = newId("usr");
  return inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).user.createMany({ data: { id: userId, email, name }, skipDuplicates: true });
    if (count === 0) return null;
    await prisma(client).ssoIdentity.createMany({ data: { issuer, subject, userId } });
    await insertMembership(client, workspaceId, userId, role);
    const who = { kind: "person", id: userId, name: email, credential: null } as const;
    const target = { kind: "member", id: userId, name: email };
    await insertAudit(workspaceId, { action: "member.joined", who, target, after: { role, by: "single sign-on" } }, client);
    return userId;
  });
}

type Account = { id: string; email: string };
/** `other_identity`: the account is linked to another subject of the provider. */
type Binding = { outcome: "bound"; passwordEnded: boolean } | { outcome: "other_identity" };

/** Links an account to its first subject. Only that proves who owns the address, so password, factors, sessions and invites end. */
export async function bindSubject(issuer: string, subject: string, account: Account, now: Date): Promise<Binding> {
  const binding = await inTransaction(pool(), async (client): Promise<Binding> => {
    const { rows } = await client.query<{ hasPassword: boolean }>(
      'SELECT password_hash IS NOT NULL AS "hasPassword" FROM users WHERE id = $1 FOR UPDATE',
      [account.id],
    );
    const bound = await prisma(client).ssoIdentity.findFirst({ where: { issuer, userId: account.id }, select: { subject: true } });
    if (bound) return bound.subject === subject ? { outcome: "bound", passwordEnded: false } : { outcome: "other_identity" };
    await prisma(client).ssoIdentity.createMany({ data: { issuer, subject, userId: account.id } });
    const factorsRemoved = await deleteFactors(client, account.id);
    if (!rows[0]?.hasPassword) return { outcome: "bound", passwordEnded: false };
    await endPassword(client, account, factorsRemoved, now);
    return { outcome: "bound", passwordEnded: true };
  });
  if (binding.outcome === "bound" && binding.passwordEnded) rightsChanged("");
  return binding;
}

async function endPassword(client: pg.PoolClient, { id, email }: Account, factorsRemoved: number, now: Date): Promise<void> {
  await prisma(client).user.updateMany({ where: { id }, data: { passwordHash: null } });
  const sessionsEnded = await forgetBrowsers(client, id);
  const memberships = await prisma(client).membership.findMany({ where: { userId: id }, select: { workspaceId: true } });
  const who = { kind: "person", id, name: email, credential: null } as const;
  for (const { workspaceId } of memberships as { workspaceId: WorkspaceId }[]) {
    const audit = auditOfWho(workspaceId, who, client);
    const { invitesRevoked } = await endGivenAccess(client, { workspaceId, now, audit }, { userId: id, email }, false);
    const workingApiKeys = await countGivenKeys(client, workspaceId, id, now);
    const target = { kind: "account", id, name: email };
    await audit.record({ action: "password.ended", target, after: { sessionsEnded, factorsRemoved, invitesRevoked, workingApiKeys } });
  }
}
