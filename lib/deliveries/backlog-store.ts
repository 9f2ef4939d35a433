import { pool } from "#lib/db/pool";

/** What waits and what died in the whole installation, for those who run it. */
export type Backlog = {
  waiting: number;
  /** Seconds that the delivery which is due the longest has been due; 0 when none is. */
  lagSeconds: number;
  deadLetters: number;
};

/** Measures inbox and dead letters of all workspaces together. */
export async function measureBacklog(): Promise<Backlog> {
  const { rows } = await pool().query<{ waiting: number; lag: number | null; dead: number }>(
    `SELECT (SELECT count(*) FROM inbox) AS waiting,
       (SELECT greatest(0, extract(epoch FROM now() - min(due_at)))::float8 FROM inbox WHERE due_at <= now()) AS lag,
       (SELECT count(*) FROM dead_letters) AS dead`,
  );
  const { waiting = 0, lag = null, dead = 0 } = rows[0] ?? {};
  return { waiting, lagSeconds: lag ?? 0, deadLetters: dead };
}
