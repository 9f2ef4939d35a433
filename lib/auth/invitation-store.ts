import type pg from "pg";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/ids";
import type { Invitation, InvitationState, InviteBody } from "#lib/contracts/invitations";
import type { Role } from "#lib/contracts/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { type Actor, actorName } from "./actor.ts";
import { recordAudit } from "./audit.ts";

const DAY_MS = 86_400_000;

/** Makes an invitation. @returns what lists show of it, and the token, which can't be had again */
export async function insertInvitation(actor: Actor, body: InviteBody, now: Date): Promise<Invitation & { token: string }> {
  const token = newToken();
  const invitation = {
    id: newId("inv"),
    role: body.role,
    email: body.email?.toLowerCase() ?? null,
    createdBy: actorName(actor),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + body.validDays * DAY_MS).toISOString(),
  };
  const { id, role, email, createdBy, expiresAt } = invitation;
  await inTransaction(pool(), async (client) => {
    await client.query(
      `INSERT INTO invitations (id, workspace_id, token_hash, role, email, created_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, actor.workspaceId, hashToken(token), role, email, createdBy, now, expiresAt],
    );
    const target = { kind: "invitation", id, name: email };
    await recordAudit(actor, { action: "member.invited", target, after: { role, expiresAt } }, client);
  });
  return { ...invitation, token };
}

/** Invitations that can still be used, newest first. */
export async function listInvitations(workspaceId: WorkspaceId, now: Date): Promise<Invitation[]> {
  const rows = await prisma().invitation.findMany({
    where: { workspaceId, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
  });
  return rows.map(({ id, role, email, createdBy, createdAt, expiresAt }) => ({
    id,
    role,
    email,
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Takes an invitation back. @returns false when the workspace has none of that id that can still be used */
export async function revokeInvitation(actor: Actor, id: string, now: Date): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ role: Role; email: string | null }>(
      `UPDATE invitations SET revoked_at = $3 WHERE id = $1 AND workspace_id = $2 AND revoked_at IS NULL AND used_at IS NULL
       RETURNING role, email`,
      [id, actor.workspaceId, now],
    );
    const [row] = rows;
    if (!row) return false;
    const target = { kind: "invitation", id, name: row.email };
    await recordAudit(actor, { action: "invitation.revoked", target, before: { role: row.role } }, client);
    return true;
  });
}

/** An invitation as its bearer may see it. */
export type FoundInvitation =
  | { state: "open"; id: string; workspaceId: WorkspaceId; workspaceName: string; role: Role; email: string | null; createdBy: string }
  | { state: Exclude<InvitationState, "open"> };

/** What the link of that token is worth now. */
export async function findInvitation(tokenHash: string, now: Date): Promise<FoundInvitation> {
  const row = await prisma().invitation.findUnique({ where: { tokenHash }, include: { workspace: { select: { name: true } } } });
  if (!row) return { state: "unknown" };
  if (row.usedAt) return { state: "used" };
  if (row.revokedAt) return { state: "revoked" };
  if (row.expiresAt <= now) return { state: "expired" };
  const { id, role, email, createdBy, workspace } = row;
  return { state: "open", id, workspaceId: toWorkspaceId.parse(row.workspaceId), workspaceName: workspace.name, role, email, createdBy };
}

/** Uses the invitation up, in the transaction that makes the member. @returns false when somebody was faster */
export async function claimInvitation(client: pg.PoolClient, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE invitations SET used_at = $2 WHERE id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
    [id, now],
  );
  return rowCount === 1;
}
