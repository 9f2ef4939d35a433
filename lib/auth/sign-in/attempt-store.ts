import type pg from "pg";
import { type RememberedDevice, rememberedDevice } from "#lib/contracts/auth/account";
import { answered } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { countChanged } from "#lib/db/rows";

/** `freeTries`: tries before each further one costs a wait. */
export type TryScope = { scopeHash: string; freeTries: number };

const FORGET_AFTER_HOURS = 24;

// Counted before the password is checked, in one statement that locks the rows: a hundred guesses at once can't slip in.
// A locked scope writes nothing, so that vain tries leave no rows. Rows are taken in order, against deadlocks.
// The wait doubles from one minute to one hour.
const CLAIM = `
  WITH wanted AS (SELECT * FROM unnest($1::text[], $2::int[]) AS u (scope_hash, free_tries)),
  locked AS (SELECT max(l.locked_until) AS until FROM sign_in_failures l JOIN wanted USING (scope_hash) WHERE l.locked_until > $3),
  claimed AS (
    INSERT INTO sign_in_failures AS f (scope_hash, failures, last_at)
    SELECT scope_hash, 1, $3 FROM wanted WHERE (SELECT until FROM locked) IS NULL ORDER BY scope_hash
    ON CONFLICT (scope_hash) DO UPDATE SET
      failures = CASE WHEN f.last_at < $3::timestamptz - make_interval(hours => $4) THEN 1 ELSE f.failures + 1 END,
      last_at = $3,
      locked_until = CASE
        WHEN f.last_at < $3::timestamptz - make_interval(hours => $4) THEN NULL
        ELSE (SELECT CASE WHEN f.failures + 1 >= w.free_tries
                          THEN $3::timestamptz + make_interval(mins => LEAST(60, power(2, LEAST(f.failures + 1 - w.free_tries, 6))::int)) END
                FROM wanted w WHERE w.scope_hash = f.scope_hash) END
    WHERE f.locked_until IS NULL OR f.locked_until <= $3
    RETURNING scope_hash, failures)
  SELECT (SELECT until FROM locked) AS until, c.scope_hash AS "scopeHash", c.failures FROM wanted LEFT JOIN claimed c USING (scope_hash)`;

type TryClaim = { outcome: "granted"; locksNow: boolean } | { outcome: "locked"; until: Date };

/** Claims a try in every scope or in none. `locksNow`: it was the last free one; `until`: when to come back. */
export async function claimTries(scopes: TryScope[], now: Date): Promise<TryClaim> {
  const hashes = scopes.map(({ scopeHash }) => scopeHash);
  const values = [hashes, scopes.map(({ freeTries }) => freeTries), now, FORGET_AFTER_HOURS];
  const { rows } = await pool().query<{ until: Date | null; scopeHash: string | null; failures: number }>(CLAIM, values);
  const until = rows[0]?.until;
  if (until) return { outcome: "locked", until };
  const claimed = new Map(rows.map(({ scopeHash, failures }) => [scopeHash, failures]));
  const taken = scopes.filter(({ scopeHash }) => claimed.has(scopeHash));
  if (taken.length === scopes.length)
    return { outcome: "granted", locksNow: taken.some(({ scopeHash, freeTries }) => (claimed.get(scopeHash) ?? 0) >= freeTries) };
  // Another request locked one of them meanwhile.
  for (const scope of taken) await returnTry(scope);
  const locked = await prisma().signInFailure.aggregate({ where: { scopeHash: { in: hashes } }, _max: { lockedUntil: true } });
  return { outcome: "locked", until: locked._max.lockedUntil ?? now };
}

export async function clearTries(scopes: TryScope[]): Promise<void> {
  await prisma().signInFailure.deleteMany({ where: { scopeHash: { in: scopes.map(({ scopeHash }) => scopeHash) } } });
}

/** Takes back one try without forgiving earlier ones: others share the scope. */
export async function returnTry({ scopeHash, freeTries }: TryScope): Promise<void> {
  await pool().query(
    `UPDATE sign_in_failures
        SET failures = GREATEST(failures - 1, 0), locked_until = CASE WHEN failures - 1 < $2 THEN NULL ELSE locked_until END
      WHERE scope_hash = $1`,
    [scopeHash, freeTries],
  );
}

export async function deleteOldTries(now: Date): Promise<number> {
  const forgotten = new Date(now.getTime() - FORGET_AFTER_HOURS * 3_600_000);
  const { count } = await prisma().signInFailure.deleteMany({
    where: { lastAt: { lt: forgotten }, OR: [{ lockedUntil: null }, { lockedUntil: { lt: now } }] },
  });
  return count;
}

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
const REMEMBERED_DAYS = 30;

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
  client: Connection = pool(),
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
  return rows.map((row) => answered(rememberedDevice, row));
}

/** Forgets one remembered browser, or with null all. @returns how many */
export const forgetRememberedDevices = (client: pg.PoolClient, userId: string, publicId: string | null): Promise<number> =>
  countChanged(
    client,
    `UPDATE known_devices SET remembered_until = NULL
      WHERE user_id = $1 AND remembered_until IS NOT NULL AND ($2::text IS NULL OR ${PUBLIC_ID} = $2)`,
    [userId, publicId],
  );

export async function deleteOldDevices(now: Date): Promise<number> {
  return (await prisma().knownDevice.deleteMany({ where: { lastUsedAt: { lt: new Date(now.getTime() - YEAR_MS) } } })).count;
}
