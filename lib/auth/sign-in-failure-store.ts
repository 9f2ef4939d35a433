import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** Ten wrong passwords are free; then each further try costs a wait that doubles from one minute to one hour. */
const FREE_TRIES = 10;
const FORGET_AFTER_HOURS = 24;

// A try is counted before the password is looked at, in one statement that locks
// the row: a hundred guesses sent at once can't all slip in before the first fails.
const CLAIM = `
  INSERT INTO sign_in_failures AS f (email_hash, failures, last_at) VALUES ($1, 1, $2)
  ON CONFLICT (email_hash) DO UPDATE SET
    failures = CASE WHEN f.last_at < $2::timestamptz - make_interval(hours => $4) THEN 1 ELSE f.failures + 1 END,
    last_at = $2,
    locked_until = CASE
      WHEN f.last_at < $2::timestamptz - make_interval(hours => $4) OR f.failures + 1 < $3 THEN NULL
      ELSE $2::timestamptz + make_interval(mins => LEAST(60, power(2, LEAST(f.failures + 1 - $3, 6))::int)) END
  WHERE f.locked_until IS NULL OR f.locked_until <= $2
  RETURNING failures`;

/**
 * Claims one try at an account's password. The same for accounts that don't exist.
 *
 * @returns when to come back, while the account is locked; null when the try may go on
 */
export async function claimTry(emailHash: string, now: Date): Promise<Date | null> {
  const { rowCount } = await pool().query(CLAIM, [emailHash, now, FREE_TRIES, FORGET_AFTER_HOURS]);
  if (rowCount === 1) return null;
  const row = await prisma().signInFailure.findUnique({ where: { emailHash } });
  return row?.lockedUntil ?? now;
}

/** Forgets the failures of an account: its password was right. */
export async function clearTries(emailHash: string): Promise<void> {
  await prisma().signInFailure.deleteMany({ where: { emailHash } });
}
