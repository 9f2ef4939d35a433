import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** Failures of a scope, and the tries that it gives before each further one costs a wait. */
export type TryScope = { scopeHash: string; freeTries: number };

/** After that long without a try a scope is forgotten. */
const FORGET_AFTER_HOURS = 24;

// A try is counted before the password is looked at, in one statement that locks
// the row: a hundred guesses sent at once can't all slip in before the first fails.
// The wait doubles from one minute to one hour.
const CLAIM = `
  INSERT INTO sign_in_failures AS f (scope_hash, failures, last_at) VALUES ($1, 1, $2)
  ON CONFLICT (scope_hash) DO UPDATE SET
    failures = CASE WHEN f.last_at < $2::timestamptz - make_interval(hours => $4) THEN 1 ELSE f.failures + 1 END,
    last_at = $2,
    locked_until = CASE
      WHEN f.last_at < $2::timestamptz - make_interval(hours => $4) OR f.failures + 1 < $3 THEN NULL
      ELSE $2::timestamptz + make_interval(mins => LEAST(60, power(2, LEAST(f.failures + 1 - $3, 6))::int)) END
  WHERE f.locked_until IS NULL OR f.locked_until <= $2
  RETURNING failures`;

export type TryClaim = { outcome: "granted"; locksNow: boolean } | { outcome: "locked"; until: Date };

/**
 * Claims one try in a scope.
 *
 * @returns whether the try may go on, and whether it was the last free one; else when to come back
 */
export async function claimTry({ scopeHash, freeTries }: TryScope, now: Date): Promise<TryClaim> {
  const { rows } = await pool().query<{ failures: number }>(CLAIM, [scopeHash, now, freeTries, FORGET_AFTER_HOURS]);
  const [claimed] = rows;
  if (claimed) return { outcome: "granted", locksNow: claimed.failures >= freeTries };
  const row = await prisma().signInFailure.findUnique({ where: { scopeHash } });
  return { outcome: "locked", until: row?.lockedUntil ?? now };
}

/** Forgets the failures of scopes: the password was right there. */
export async function clearTries(scopes: TryScope[]): Promise<void> {
  await prisma().signInFailure.deleteMany({ where: { scopeHash: { in: scopes.map(({ scopeHash }) => scopeHash) } } });
}

/** Takes one claimed try back, without forgiving those before it: others share the scope. */
export async function returnTry({ scopeHash, freeTries }: TryScope): Promise<void> {
  await pool().query(
    `UPDATE sign_in_failures
        SET failures = GREATEST(failures - 1, 0), locked_until = CASE WHEN failures - 1 < $2 THEN NULL ELSE locked_until END
      WHERE scope_hash = $1`,
    [scopeHash, freeTries],
  );
}

/** Removes what is forgotten anyway. @returns how many rows went */
export async function deleteOldTries(now: Date): Promise<number> {
  const before = new Date(now.getTime() - FORGET_AFTER_HOURS * 3_600_000);
  const { count } = await prisma().signInFailure.deleteMany({
    where: { lastAt: { lt: before }, OR: [{ lockedUntil: null }, { lockedUntil: { lt: now } }] },
  });
  return count;
}
