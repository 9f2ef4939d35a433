import type pg from "pg";
import { callerOf } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { deleteFactors } from "#lib/auth/factors/factor-store";
import { forgetBrowsers } from "#lib/auth/session-store";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Invitation, InvitationState, InviteBody } from "#lib/contracts/auth/invitations";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { holdRights } from "./member-store.ts";
import { insertMembership } from "./workspace-store.ts";

const DAY_MS = 86_400_000;

/** Returns the token too, which can't be read again. */
export async function insertInvitation({ actor, now, audit }: Context, body: InviteBody): Promise<Invitation & { token: string }> {
  const token = newToken();
  const giver = callerOf(actor);
  const invitation = {
    id: newId("inv"),
    role: body.role,
    email: body.email?.toLowerCase() ?? null,
    createdBy: giver.name,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + body.validDays * DAY_MS).toISOString(),
  };
  const { id, role, email, expiresAt } = invitation;
  await inTransaction(pool(), async (client) => {
    await holdRights(client, actor);
    await prisma(client).invitation.create({
      data: { ...invitation, workspaceId: actor.workspaceId, tokenHash: hashToken(token), createdById: giver.id },
      select: { id: true },
    });
    const target = { kind: "invitation", id, name: email };
    await audit.record({ action: "member.invited", target, after: { role, email, expiresAt } }, client);
  });
  return { ...invitation, token };
}

export async function listInvitations(workspaceId: WorkspaceId, now: Date): Promise<Invitation[]> {
  const rows = await prisma().invitation.findMany({
    where: { workspaceId, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true, role: true, email: true, createdBy: true, createdAt: true, expiresAt: true },
    orderBy: { createdAt: "desc" },
  });
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString() }));
}

export async function revokeInvitation({ workspaceId, now, audit }: Context, id: string): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const [row] = await prisma(client).invitation.updateManyAndReturn({
      where: { id, workspaceId, revokedAt: null, usedAt: null },
      data: { revokedAt: now },
      select: { role: true, email: true, expiresAt: true },
    });
    if (!row) return false;
    const target = { kind: "invitation", id, name: row.email };
    await audit.record({ action: "invitation.revoked", target, before: row }, client);
    return true;
  });
}

type OpenInvitation = { id: string; workspaceId: WorkspaceId; workspaceName: string; role: Role; email: string | null; createdBy: string };

/** As its bearer may see it. */
type FoundInvitation = ({ state: "open" } & OpenInvitation) | { state: Exclude<InvitationState, "open"> };

export async function findInvitation(tokenHash: string, now: Date): Promise<FoundInvitation> {
  const { rows } = await pool().query<OpenInvitation & { state: InvitationState }>(
    `SELECT CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.revoked_at IS NOT NULL THEN 'revoked' WHEN i.expires_at <= $2 THEN 'expired'
                 ELSE 'open' END AS state,
            i.id, i.workspace_id AS "workspaceId", w.name AS "workspaceName", i.role, i.email, i.created_by AS "createdBy"
       FROM invitations i JOIN workspaces w ON w.id = i.workspace_id WHERE i.token_hash = $1`,
    [tokenHash, now],
  );
  const [row] = rows;
  if (!row) return { state: "unknown" };
  const { state, ...invitation } = row;
  return state === "open" ? { state, ...invitation } : { state };
}

/** Uses up the invite in the transaction that makes the member; false if another request was faster. */
async function claimInvitation(client: pg.PoolClient, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(client).invitation.updateMany({
    where: { id, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}

type JoinableInvitation = Extract<FoundInvitation, { state: "open" }>;
type NewPerson = { email: string; name: string | null; passwordHash: string };

/** Makes the bearer a member: claim, account, membership and audit entry in one transaction. */
export async function joinWorkspace(
  invitation: JoinableInvitation,
  person: { userId: string; email: string } | NewPerson,
  now: Date,
): Promise<{ outcome: "joined"; userId: string } | { outcome: "used" | "known_email" | "member_already" }> {
  const { workspaceId, id, role, createdBy } = invitation;
  let userId = "userId" in person ? person.userId : newId("usr");
  let takenUp = false;
  const failed = (outcome: "used" | "known_email" | "member_already") => Object.assign(new Error(outcome), { outcome });
  try {
    await inTransaction(pool(), async (client) => {
      if (!(await claimInvitation(client, id, now))) throw failed("used");
      if (!("userId" in person)) {
        const account = await makeAccount(client, userId, person, invitation.email === person.email);
        if (account === null) throw failed("known_email");
        takenUp = account !== userId;
        userId = account;
      }
      if (!(await insertMembership(client, workspaceId, userId, role))) throw failed("member_already");
      const who = { kind: "person", id: userId, name: person.email, credential: null } as const;
      const target = { kind: "member", id: userId, name: person.email };
      await insertAudit(
        workspaceId,
        {
          action: "member.joined",
          who,
          target,
          after: { role, invitation: id, invitedBy: createdBy, ...(takenUp && { passwordReset: true }) },
        },
        client,
      );
    });
  } catch (error) {
    const { outcome } = error as { outcome?: "used" | "known_email" | "member_already" };
    if (outcome) return { outcome };
    throw error;
  }
  return { outcome: "joined", userId };
}

/** Makes an account, or resets one without any workspace if the invite names its address; null if the address is taken. */
async function makeAccount(
  client: pg.PoolClient,
  newUserId: string,
  { email, name, passwordHash }: NewPerson,
  named: boolean,
): Promise<string | null> {
  const made = await prisma(client).user.createMany({ data: [{ id: newUserId, email, name, passwordHash }], skipDuplicates: true });
  if (made.count === 1) return newUserId;
  if (!named) return null;
  // A statement of its own: only a later one sees rows as they are after the wait for the lock.
  await client.query("SELECT 1 FROM users WHERE email = $1 FOR UPDATE", [email]);
  const { rows } = await client.query<{ id: string }>(
    `UPDATE users u SET name = coalesce($2, u.name), password_hash = $3
     WHERE u.email = $1 AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id) RETURNING u.id`,
    [email, name, passwordHash],
  );
  const [account] = rows;
  if (!account) return null;
  await forgetBrowsers(client, account.id);
  await deleteFactors(client, account.id);
  // The address may have a new owner, whom single sign-on would link to this account otherwise.
  await prisma(client).ssoIdentity.deleteMany({ where: { userId: account.id } });
  return account.id;
}
