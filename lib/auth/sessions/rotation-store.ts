import type pg from "pg";
import { type Audit, sessionPublicId } from "#lib/auth/audit/audit";
import { insertAudit } from "#lib/auth/audit/audit-store";
import { deleteFactors } from "#lib/auth/factors/factor-store";
import type { Person } from "#lib/auth/members/person";
import { forgetRememberedDevices } from "#lib/auth/sign-in/known-device-store";
import { AppError } from "#lib/contracts/api/app-error";
import { workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { sessionCookieLine } from "./session-cookie.ts";
import { endSessions, replaceSessionId, rightsChanged } from "./session-store.ts";

/** Moves the session to another workspace under a new ID. @returns the Set-Cookie line @throws AppError `not_found` for a non-member */
export async function enterWorkspace(actor: Person, workspaceId: WorkspaceId, audit: Audit): Promise<string> {
  const sessionId = newToken();
  const seconds = await inTransaction(pool(), async (client) => {
    const membership = await prisma(client).membership.findFirst({
      where: { userId: actor.by.userId, workspaceId },
      select: { workspace: { select: { name: true } } },
    });
    if (!membership) throw new AppError("not_found", "You are not a member of that workspace.");
    const { workspace } = membership;
    const left = await replaceSessionId(client, actor.by.sessionHash, hashToken(sessionId), workspaceId);
    const who = { kind: "person", id: actor.by.userId, name: actor.by.email, credential: sessionPublicId(hashToken(sessionId)) } as const;
    const target = { kind: "workspace", id: workspaceId, name: workspace.name };
    const entry = {
      action: "workspace.entered",
      target,
      before: { workspace: actor.workspaceName },
      after: { workspace: workspace.name },
    } as const;
    await insertAudit(workspaceId, { ...entry, who }, client);
    if (workspaceId === actor.workspaceId) audit.unchanged();
    else await audit.record(entry, client);
    return left;
  });
  rightsChanged(actor.workspaceId);
  return sessionCookieLine(sessionId, seconds);
}

/** Writes a password; other sessions end, and only `keptDevice` stays known. @returns the Set-Cookie line with the new session ID */
export async function replacePassword(actor: Person, passwordHash: string, keptDevice: string | null, audit: Audit): Promise<string> {
  const { userId, sessionHash, email } = actor.by;
  const sessionId = newToken();
  const seconds = await inTransaction(pool(), async (client) => {
    await prisma(client).user.updateMany({ where: { id: userId }, data: { passwordHash } });
    const ended = await endSessions(client, userId, { except: sessionHash });
    await prisma(client).knownDevice.deleteMany({ where: { userId, idHash: { not: keptDevice ?? "" } } });
    await forgetRememberedDevices(client, userId, null);
    await audit.record(
      { action: "password.changed", target: { kind: "account", id: userId, name: email }, after: { sessionsEnded: ended } },
      client,
    );
    return replaceSessionId(client, sessionHash, hashToken(sessionId));
  });
  // The ended sessions may have been in other workspaces: every feed checks.
  rightsChanged("");
  return sessionCookieLine(sessionId, seconds);
}

const COMMAND_LINE = { kind: "system", id: null, name: "Command line", credential: null } as const;

/** Resets a password on the command line: all sessions end, no browser stays known, each workspace of the account records it. */
export async function resetPassword(
  { id, email }: { id: string; email: string },
  passwordHash: string,
  removeFactors: boolean,
): Promise<{ sessionsEnded: number; factorsRemoved: number }> {
  const reset = await inTransaction(pool(), async (client) => {
    await prisma(client).user.updateMany({ where: { id }, data: { passwordHash } });
    const factorsRemoved = removeFactors ? await deleteFactors(client, id) : 0;
    const sessionsEnded = await forgetBrowsers(client, id);
    const memberships = await prisma(client).membership.findMany({ where: { userId: id }, select: { workspaceId: true } });
    const target = { kind: "account", id, name: email };
    for (const { workspaceId } of memberships)
      await insertAudit(
        toWorkspaceId.parse(workspaceId),
        { action: "password.reset", who: COMMAND_LINE, target, after: { sessionsEnded, ...(removeFactors && { factorsRemoved }) } },
        client,
      );
    return { sessionsEnded, factorsRemoved };
  });
  rightsChanged("");
  return reset;
}

export async function forgetBrowsers(client: pg.PoolClient, userId: string): Promise<number> {
  await prisma(client).knownDevice.deleteMany({ where: { userId } });
  return endSessions(client, userId, { except: "" });
}

/** Ends one session, or with null all but this one. @returns how many */
export async function endOwnSessions(actor: Person, publicId: string | null, audit: Audit): Promise<number> {
  const { userId, sessionHash, email } = actor.by;
  const ended = await inTransaction(pool(), async (client) => {
    const count = await endSessions(client, userId, publicId === null ? { except: sessionHash } : { publicId });
    const target = publicId === null ? { kind: "account", id: userId, name: email } : { kind: "session", id: publicId };
    const action = publicId === null ? "session.others_ended" : "session.ended";
    if (count === 0) audit.unchanged();
    else await audit.record({ action, target, after: { ended: count } }, client);
    return count;
  });
  rightsChanged("");
  return ended;
}
