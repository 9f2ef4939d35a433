import { type Preferences, preferences } from "#lib/contracts/auth/account";
import { pool } from "#lib/db/pool";

const DEFAULT: Preferences = { timeZone: "local" };

/** Returns how a person wants the pages to be. */
export async function findPreferences(userId: string): Promise<Preferences> {
  const { rows } = await pool().query('SELECT time_zone AS "timeZone" FROM users WHERE id = $1', [userId]);
  return preferences.safeParse(rows[0]).data ?? DEFAULT;
}

/** Writes them. @returns what they were before */
export async function savePreferences(userId: string, { timeZone }: Preferences): Promise<Preferences> {
  const { rows } = await pool().query(
    `WITH before AS (SELECT id, time_zone FROM users WHERE id = $1 FOR UPDATE)
     UPDATE users u SET time_zone = $2 FROM before b WHERE u.id = b.id RETURNING b.time_zone AS "timeZone"`,
    [userId, timeZone],
  );
  return preferences.safeParse(rows[0]).data ?? DEFAULT;
}
