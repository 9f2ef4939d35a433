import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

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
    const { rowCount } = await client.query(
      `INSERT INTO setup_links (token_hash, created_at, expires_at)
       SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM setup_links WHERE used_at IS NULL AND expires_at > $2)`,
      [tokenHash, now, new Date(now.getTime() + VALID_MS)],
    );
    return rowCount === 1;
  });
}

export type SetupLinkState = "open" | "used" | "expired" | "unknown";

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
