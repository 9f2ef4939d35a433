import type pg from "pg";
import type { RememberedDevice } from "#lib/contracts/auth/account";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

const YEAR_MS = 365 * 86_400_000;
/** A browser stays known for a year after the last sign-in. */
export const DEVICE_SECONDS = YEAR_MS / 1000;

export async function touchDevice(idHash: string, userId: string, now: Date): Promise<void> {
  await prisma().knownDevice.upsert({
    where: { idHash_userId: { idHash, userId } },
    create: { idHash, userId, createdAt: now, lastUsedAt: now },
    update: { lastUsedAt: now },
  });
}

/** A remembered browser needs no second factor for this time. */
export const REMEMBERED_DAYS = 30;

export async function insertRememberedDevice(
  client: pg.PoolClient,
  { idHash, userId, userAgent, now }: { idHash: string; userId: string; userAgent: string | null; now: Date },
): Promise<void> {
  const rememberedUntil = new Date(now.getTime() + REMEMBERED_DAYS * 86_400_000);
  await prisma(client).knownDevice.create({
    data: { idHash, userId, createdAt: now, lastUsedAt: now, userAgent: userAgent?.slice(0, 300) ?? null, rememberedUntil },
  });
}

/** `known` by an earlier sign-in; `remembered`: a password is enough there. */
export async function findDevice(
  idHash: string | null,
  userId: string,
  now: Date,
  client: pg.PoolClient | pg.Pool = pool(),
): Promise<{ known: boolean; remembered: boolean }> {
  if (idHash === null) return { known: false, remembered: false };
  const device = await prisma(client).knownDevice.findFirst({
    where: { idHash, userId, lastUsedAt: { gt: new Date(now.getTime() - YEAR_MS) } },
    select: { rememberedUntil: true },
  });
  return { known: device !== null, remembered: !!device?.rememberedUntil && device.rememberedUntil > now };
}

const PUBLIC_ID = "'dev_' || left(id_hash, 16)";

export async function listRememberedDevices(userId: string, now: Date): Promise<RememberedDevice[]> {
  const { rows } = await pool().query<{ id: string; userAgent: string | null; lastUsedAt: Date; rememberedUntil: Date }>(
    `SELECT ${PUBLIC_ID} AS id, user_agent AS "userAgent", last_used_at AS "lastUsedAt", remembered_until AS "rememberedUntil"
       FROM known_devices WHERE user_id = $1 AND remembered_until > $2 ORDER BY last_used_at DESC LIMIT 100`,
    [userId, now],
  );
  return rows.map(({ lastUsedAt, rememberedUntil, ...device }) => ({
    ...device,
    lastUsedAt: lastUsedAt.toISOString(),
    rememberedUntil: rememberedUntil.toISOString(),
  }));
}

/** Forgets one remembered browser, or with null all. @returns how many */
export async function forgetRememberedDevices(client: pg.PoolClient, userId: string, publicId: string | null): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE known_devices SET remembered_until = NULL
      WHERE user_id = $1 AND remembered_until IS NOT NULL AND ($2::text IS NULL OR ${PUBLIC_ID} = $2)`,
    [userId, publicId],
  );
  return rowCount ?? 0;
}

export async function deleteOldDevices(now: Date): Promise<number> {
  return (await prisma().knownDevice.deleteMany({ where: { lastUsedAt: { lt: new Date(now.getTime() - YEAR_MS) } } })).count;
}
