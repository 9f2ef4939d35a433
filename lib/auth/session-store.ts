import type pg from "pg";
import { AppError } from "#lib/contracts/api/app-error";
import { workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { type Factor, type OwnSession, ownSession, type PendingStep } from "#lib/contracts/auth/account";
import type { Role } from "#lib/contracts/auth/settings";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";
import { notifySoon } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { countChanged, queryCount, queryRow } from "#lib/db/rows";
import { requestIp } from "#lib/http/request-head";
import { hashToken, newToken } from "#lib/vault/opaque-token";
import { type Person, requirePerson } from "./actor.ts";
import { type Audit, type Context, sessionPublicId } from "./audit/audit.ts";
import { insertAudit } from "./audit/audit-store.ts";
import { sessionCookieLine } from "./credentials.ts";
import { deleteFactors, hasFactor } from "./factors/factor-store.ts";
import { FIRST_WORKSPACE } from "./permissions.ts";
import { findDevice, forgetRememberedDevices } from "./sign-in/attempt-store.ts";

const DAY_MS = 86_400_000;
/** A session ends 30 days after sign-in, or after 7 days without use. */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000;
const IDLE_MS = 7 * DAY_MS;
const TOUCH_EVERY_MS = 60_000;
/** Lifetime of a session that waits for its second factor. */
const WAITING_MS = 10 * 60_000;
/** Time after a proof of identity in which secrets, keys, members and sign-in may be changed. */
const CONFIRMED_MS = 15 * 60_000;

type LiveSession = {
  workspaceId: WorkspaceId;
  workspaceName: string;
  runsInstallation: boolean;
  role: Role;
  userId: string;
  email: string;
  name: string | null;
  pendingStep: PendingStep | null;
  method: string;
  confirmed: boolean;
};

type NewSession = {
  idHash: string;
  userId: string;
  workspaceId: WorkspaceId;
  userAgent: string | null;
  method: string;
  factor?: Factor;
  /** Hash of the browser's ID: where it is remembered, a password completes the sign-in. */
  deviceHash?: string | null;
  now: Date;
};

/** Opens a session. `waits`: it opens nothing until a factor is proven. @throws Error `password_ended` if the password ended meanwhile */
export async function insertSession(session: NewSession): Promise<{ waits: boolean }> {
  const { idHash, userId, workspaceId, userAgent, method, deviceHash = null, now } = session;
  return inTransaction(pool(), async (client) => {
    const remembered = method === "password" && (await findDevice(deviceHash, userId, now, client)).remembered;
    const factor = session.factor ?? (remembered ? "remembered" : null);
    const waits = method !== "sso" && factor === null && (await hasFactor(client, userId));
    const { rows } = await client.query<{ email: string }>(
      `INSERT INTO sessions (id_hash, user_id, workspace_id, user_agent, address, method, created_at, last_seen_at, confirmed_at, expires_at, factor)
       SELECT $1, u.id, $3, $4, $5, $6, $7, $7, $7, $8, $9 FROM users u
        WHERE u.id = $2 AND ($6 = 'sso' OR u.password_hash IS NOT NULL) FOR SHARE
       RETURNING (SELECT email FROM users WHERE id = $2)`,
      [
        idHash,
        userId,
        workspaceId,
        userAgent?.slice(0, 300) ?? null,
        requestIp(),
        method,
        now,
        new Date(now.getTime() + (waits ? WAITING_MS : SESSION_SECONDS * 1000)),
        factor,
      ],
    );
    if (!rows[0]) throw new Error("password_ended");
    const who = { kind: "person", id: userId, name: rows[0].email, credential: sessionPublicId(idHash) } as const;
    const action = waits ? "sign_in.factor_asked" : "sign_in.succeeded";
    await insertAudit(workspaceId, { action, who, after: { method, ...(factor && { factor }) } }, client);
    return { waits };
  });
}

// Computed, not stored: a new factor or a new requirement holds for every session at once.
const PENDING_STEP = `
  CASE WHEN s.method = 'sso' THEN NULL
       WHEN EXISTS (SELECT FROM totp_factors t WHERE t.user_id = s.user_id AND t.confirmed_at IS NOT NULL)
         OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = s.user_id) THEN CASE WHEN s.factor IS NULL THEN 'prove' END
       WHEN w.requires_second_factor THEN 'set_up' END`;

const FIND_LIVE = `
  SELECT s.workspace_id AS "workspaceId", w.name AS "workspaceName", w.id = (${FIRST_WORKSPACE}) AS "runsInstallation", m.role, s.last_seen_at AS "lastSeenAt",
         u.id AS "userId", u.email, u.name, ${PENDING_STEP} AS "pendingStep", s.method, s.confirmed_at > $4 AS confirmed
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    JOIN workspaces w ON w.id = s.workspace_id
    JOIN memberships m ON m.user_id = s.user_id AND m.workspace_id = s.workspace_id
   WHERE s.id_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`;

/** Returns null for an ended, old or idle session, or a former member's. Runs on every request: one statement, a second once a minute. */
export async function findLiveSession(idHash: string, now: Date): Promise<LiveSession | null> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const { rows } = await pool().query<LiveSession & { lastSeenAt: Date }>(FIND_LIVE, [
    idHash,
    now,
    idleSince,
    new Date(now.getTime() - CONFIRMED_MS),
  ]);
  const [row] = rows;
  if (!row) return null;
  const { lastSeenAt, ...session } = row;
  if (now.getTime() - lastSeenAt.getTime() > TOUCH_EVERY_MS)
    await prisma().session.updateMany({ where: { idHash, lastSeenAt: { lt: now } }, data: { lastSeenAt: now } });
  return session;
}

/** Ends a session for a sign-out or a new sign-in; a missing one is no error. */
export async function deleteSession(idHash: string): Promise<void> {
  const ended = await inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ workspaceId: WorkspaceId; userId: string; email: string }>(
      `DELETE FROM sessions s USING users u WHERE s.id_hash = $1 AND u.id = s.user_id
       RETURNING s.workspace_id AS "workspaceId", u.id AS "userId", u.email`,
      [idHash],
    );
    const [row] = rows;
    if (!row) return null;
    const who = { kind: "person", id: row.userId, name: row.email, credential: sessionPublicId(idHash) } as const;
    await insertAudit(row.workspaceId, { action: "session.signed_out", who }, client);
    return row;
  });
  if (ended) rightsChanged(ended.workspaceId);
}

const SESSION = {
  idHash: column<string>(),
  workspaceName: column<string>("w.name"),
  userAgent: column<string | null>(),
  ip: column<string | null>("s.address"),
  method: column<OwnSession["method"]>(),
  factor: column<string | null>(),
  waiting: column<boolean>(`coalesce((${PENDING_STEP}) = 'prove', false)`),
  createdAt: column<Date>(),
  lastSeenAt: column<Date>(),
};

export async function listSessions(userId: string, currentHash: string, now: Date): Promise<OwnSession[]> {
  const { rows } = await pool().query<RowOf<typeof SESSION>>(
    `SELECT ${columnsSql(SESSION, "s")}
       FROM sessions s JOIN workspaces w ON w.id = s.workspace_id
      WHERE s.user_id = $1 AND s.expires_at > $2 AND s.last_seen_at > $3 ORDER BY s.last_seen_at DESC LIMIT 100`,
    [userId, now, new Date(now.getTime() - IDLE_MS)],
  );
  return rows.map(({ idHash, ...session }) =>
    answered(ownSession, { ...session, id: sessionPublicId(idHash), current: idHash === currentHash }),
  );
}

export async function endSessions(
  client: pg.PoolClient,
  userId: string,
  which: { publicId: string } | { except: string } | { in: WorkspaceId },
): Promise<number> {
  const [condition, value] =
    "publicId" in which
      ? ["left(id_hash, 16) = $2", which.publicId.replace(/^ses_/, "")]
      : "except" in which
        ? ["id_hash <> $2", which.except]
        : ["workspace_id = $2", which.in];
  return countChanged(client, `DELETE FROM sessions WHERE user_id = $1 AND ${condition}`, [userId, value]);
}

/** Replaces the session's ID, so that the old cookie opens nothing. @returns seconds left */
const replaceSessionId = (client: pg.PoolClient, idHash: string, newHash: string, workspaceId?: WorkspaceId): Promise<number> =>
  queryCount<{ seconds: number }>(
    client,
    `UPDATE sessions SET id_hash = $2, workspace_id = COALESCE($3, workspace_id) WHERE id_hash = $1
     RETURNING EXTRACT(EPOCH FROM expires_at - now())::float AS seconds`,
    [idHash, newHash, workspaceId ?? null],
  );

/** Completes a session under another ID, so that the old cookie opens nothing; null if it was completed or ended meanwhile. */
export const completeSession = (
  client: pg.PoolClient,
  { idHash, newHash, factor, now }: { idHash: string; newHash: string; factor: Factor; now: Date },
): Promise<{ seconds: number; method: string } | null> =>
  queryRow<{ seconds: number; method: string }>(
    client,
    `UPDATE sessions SET id_hash = $2, factor = $3, confirmed_at = $4, expires_at = created_at + make_interval(secs => $5)
      WHERE id_hash = $1 AND factor IS NULL AND expires_at > $4
     RETURNING EXTRACT(EPOCH FROM expires_at - $4)::float AS seconds, method`,
    [idHash, newHash, factor, now, SESSION_SECONDS],
  );

export async function confirmSession(client: pg.PoolClient, idHash: string, now: Date): Promise<void> {
  await prisma(client).session.updateMany({ where: { idHash }, data: { confirmedAt: now } });
}

/** Makes open feeds in every process recheck rights: in one workspace, or with "" in all. */
export const rightsChanged = (workspaceId: WorkspaceId | ""): void => notifySoon(pool(), "rights", workspaceId);

export async function deleteExpiredSessions(now: Date): Promise<number> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const { count } = await prisma().session.deleteMany({ where: { OR: [{ expiresAt: { lte: now } }, { lastSeenAt: { lte: idleSince } }] } });
  return count;
}

/** A return within this time belongs to the same visit. */
const SAME_VISIT = "30 minutes";

export async function noteVisit(workspaceId: WorkspaceId, userId: string, now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO visits (workspace_id, user_id, seen_at) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET seen_at = excluded.seen_at,
       previous_at = CASE WHEN visits.seen_at < excluded.seen_at - INTERVAL '${SAME_VISIT}' THEN visits.seen_at ELSE visits.previous_at END`,
    [workspaceId, userId, now],
  );
}

export async function findLastVisit(workspaceId: WorkspaceId, userId: string): Promise<Date | null> {
  return (await prisma().visit.findFirst({ where: { workspaceId, userId }, select: { previousAt: true } }))?.previousAt ?? null;
}

/** Moves the session to another workspace under a new ID. @returns the Set-Cookie line @throws AppError `not_found` for a non-member */
export async function enterWorkspace({ actor, audit }: Pick<Context, "actor" | "audit">, workspaceId: WorkspaceId): Promise<string> {
  requirePerson(actor);
  const { userId, sessionHash, email } = actor.by;
  const sessionId = newToken();
  const seconds = await inTransaction(pool(), async (client) => {
    const membership = await prisma(client).membership.findFirst({
      where: { userId, workspaceId },
      select: { workspace: { select: { name: true } } },
    });
    if (!membership) throw new AppError("not_found", "You are not a member of that workspace.");
    const { workspace } = membership;
    const left = await replaceSessionId(client, sessionHash, hashToken(sessionId), workspaceId);
    const who = { kind: "person", id: userId, name: email, credential: sessionPublicId(hashToken(sessionId)) } as const;
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
export async function endOwnSessions({ actor, audit }: Context, publicId: string | null): Promise<number> {
  requirePerson(actor);
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
