import type pg from "pg";
import { type Actor, callerOf } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Invitation, InvitationState, InviteBody } from "#lib/contracts/auth/invitations";
import type { Role } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { holdRights } from "./given-access-store.ts";

const DAY_MS = 86_400_000;

/** Returns the token too, which can't be read again. */
export async function insertInvitation(actor: Actor, body: InviteBody, now: Date, audit: Audit): Promise<Invitation & { token: string }> {
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

export async function revokeInvitation({ workspaceId }: Actor, id: string, now: Date, audit: Audit): Promise<boolean> {
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
export type FoundInvitation = ({ state: "open" } & OpenInvitation) | { state: Exclude<InvitationState, "open"> };

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
export async function claimInvitation(client: pg.PoolClient, id: string, now: Date): Promise<boolean> {
  const { count } = await prisma(client).invitation.updateMany({
    where: { id, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}
