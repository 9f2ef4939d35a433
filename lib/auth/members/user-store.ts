import { insertAudit } from "#lib/auth/audit/audit-store";
import { FIRST_WORKSPACE } from "#lib/auth/permissions";
import { DEVICE_SECONDS } from "#lib/auth/sign-in/attempt-store";
import { newId, workspaceId as toWorkspaceId, type WorkspaceId } from "#lib/contracts/api/ids";
import { type Preferences, preferences } from "#lib/contracts/auth/account";
import type { Member } from "#lib/contracts/auth/settings";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { changesOne, queryRow, queryValue } from "#lib/db/rows";
import { GIVEN_KEYS } from "./member-store.ts";

/** The hash never leaves lib/auth. */
export type UserWithPassword = { id: string; email: string; name: string | null; passwordHash: string | null };

export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** True once anyone can sign in: set-up is over. */
export async function hasUsers(connection?: Connection): Promise<boolean> {
  return (await prisma(connection).user.findFirst({ select: { id: true } })) !== null;
}

export async function findByEmail(email: string): Promise<UserWithPassword | null> {
  return prisma().user.findFirst({
    where: { email: normalEmail(email) },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
}

export async function findById(id: string): Promise<Omit<UserWithPassword, "passwordHash"> | null> {
  return prisma().user.findFirst({ where: { id }, select: { id: true, email: true, name: true } });
}

/** Finds the person and whether the browser is known, by the same statement for everybody. @param deviceHash empty without a cookie */
export const findForSignIn = (
  email: string,
  deviceHash: string,
  now: Date,
): Promise<(UserWithPassword & { knownBrowser: boolean }) | null> =>
  queryRow<UserWithPassword & { knownBrowser: boolean }>(
    pool(),
    `SELECT u.id, u.email, u.name, u.password_hash AS "passwordHash", d.id_hash IS NOT NULL AS "knownBrowser" FROM users u
       LEFT JOIN known_devices d ON d.user_id = u.id AND d.id_hash = $2 AND d.last_used_at > $3 WHERE u.email = $1`,
    [normalEmail(email), deviceHash, new Date(now.getTime() - DEVICE_SECONDS * 1000)],
  );

/** Finds the oldest workspace, which runs the installation and owns the environment's source and API key. */
export const findFirstWorkspace = (): Promise<WorkspaceId | null> => queryValue<{ id: WorkspaceId }>(pool(), FIRST_WORKSPACE);

export async function listMembers(workspaceId: WorkspaceId, now: Date): Promise<Member[]> {
  const { rows } = await pool().query<Omit<Member, "since"> & { since: Date }>(
    `WITH RECURSIVE ${GIVEN_KEYS}
     SELECT u.id, u.email, u.name, m.role, m.created_at AS since,
            (SELECT count(*)::int FROM given g JOIN api_keys k ON k.id = g.id
              WHERE g.user_id = u.id AND g.workspace_id = $1 AND k.revoked_at IS NULL
                AND (k.expires_at IS NULL OR k.expires_at > $2)) AS "apiKeys",
            EXISTS (SELECT FROM totp_factors t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL)
              OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS "secondFactor"
       FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 ORDER BY m.created_at`,
    [workspaceId, now],
  );
  return rows.map(({ since, ...member }) => ({ ...member, since: since.toISOString() }));
}

export async function isMember(workspaceId: WorkspaceId, userId: string): Promise<boolean> {
  return (await prisma().membership.count({ where: { workspaceId, userId } })) === 1;
}

export async function filterMembers(workspaceId: WorkspaceId, addresses: string[]): Promise<string[]> {
  const rows = await prisma().user.findMany({
    where: { email: { in: addresses.map(normalEmail) }, memberships: { some: { workspaceId } } },
    select: { email: true },
  });
  return rows.map(({ email }) => email);
}

type FirstOwner = { email: string; name: string | null; passwordHash: string; workspaceName: string };

/** Creates the first person with their workspace; null if another set-up was faster. */
export async function insertFirstOwner(owner: FirstOwner): Promise<{ userId: string; workspaceId: WorkspaceId } | null> {
  return inTransaction(pool(), async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('signalbox_first_owner'))");
    if (await hasUsers(client)) return null;
    const userId = newId("usr");
    const workspaceId = toWorkspaceId.parse(newId("wsp"));
    const email = normalEmail(owner.email);
    const { name, passwordHash, workspaceName } = owner;
    await prisma(client).user.create({ data: { id: userId, email, name, passwordHash }, select: { id: true } });
    await prisma(client).workspace.create({ data: { id: workspaceId, name: workspaceName } });
    await prisma(client).membership.create({ data: { workspaceId, userId, role: "owner" } });
    const who = { kind: "person", id: userId, name: email, credential: null } as const;
    const target = { kind: "workspace", id: workspaceId, name: workspaceName };
    await insertAudit(workspaceId, { action: "workspace.created", who, target, after: { owner: email } }, client);
    return { userId, workspaceId };
  });
}

const DEFAULT: Preferences = { timeZone: "local" };

export async function findPreferences(userId: string): Promise<Preferences> {
  const row = await prisma().user.findFirst({ where: { id: userId }, select: { timeZone: true } });
  return preferences.safeParse(row).data ?? DEFAULT;
}

/** Returns the preferences before the change. */
export async function savePreferences(userId: string, { timeZone }: Preferences): Promise<Preferences> {
  const { rows } = await pool().query(
    `WITH before AS (SELECT id, time_zone FROM users WHERE id = $1 FOR UPDATE)
     UPDATE users u SET time_zone = $2 FROM before b WHERE u.id = b.id RETURNING b.time_zone AS "timeZone"`,
    [userId, timeZone],
  );
  return preferences.safeParse(rows[0]).data ?? DEFAULT;
}

const VALID_MS = 24 * 3_600_000;

export async function insertSetupLink(tokenHash: string, now: Date): Promise<void> {
  await prisma().setupLink.create({ data: { tokenHash, createdAt: now, expiresAt: new Date(now.getTime() + VALID_MS) } });
}

/** Processes start together within this time; a later start replaces a link whose output nobody may have seen. */
const TOGETHER_MS = 2 * 60_000;

const LOCK = "SELECT pg_advisory_xact_lock(hashtext('setup_links'))";

/** Adds a link unless another start just did; an older open one ends. @returns whether it was added */
export async function insertOnlySetupLink(tokenHash: string, now: Date): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    await client.query(LOCK);
    await prisma(client).setupLink.updateMany({
      where: { usedAt: null, expiresAt: { gt: now }, createdAt: { lt: new Date(now.getTime() - TOGETHER_MS) } },
      data: { expiresAt: now },
    });
    return changesOne(
      client,
      `INSERT INTO setup_links (token_hash, created_at, expires_at)
       SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM setup_links WHERE used_at IS NULL AND expires_at > $2)`,
      [tokenHash, now, new Date(now.getTime() + VALID_MS)],
    );
  });
}

type SetupLinkState = "open" | "used" | "expired" | "unknown";

export async function findSetupLinkState(tokenHash: string, now: Date): Promise<SetupLinkState> {
  const link = await prisma().setupLink.findFirst({ where: { tokenHash }, select: { usedAt: true, expiresAt: true } });
  if (!link) return "unknown";
  if (link.usedAt) return "used";
  return link.expiresAt > now ? "open" : "expired";
}

export async function claimSetupLink(tokenHash: string, now: Date): Promise<boolean> {
  const { count } = await prisma().setupLink.updateMany({
    where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return count === 1;
}
