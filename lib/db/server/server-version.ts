import type { Clock } from "#lib/time/clock";
import { connectionOptions, DatabaseClient } from "../connection/client.ts";

/** Older servers lack what the log is built on. */
export const OLDEST_POSTGRES = 15;

const LIMITS = { name: "signalbox-start", statementMs: 5000, connectMs: 5000 };

/** @throws Error if it doesn't answer within 5 s */
export function findServerVersion(databaseUrl: string): Promise<number> {
  return ask(databaseUrl, async (client) => {
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  });
}

/** Checks that a connection keeps its session, which a pooler in transaction mode doesn't. @throws Error in words */
export function requireSessions(databaseUrl: string): Promise<void> {
  return ask(databaseUrl, (first) =>
    ask(databaseUrl, async (second) => {
      await first.query("SET extra_float_digits = 2");
      // Takes the server connection that the first has just used, if they share a pool.
      await second.query("BEGIN; SELECT 1");
      const kept = await hasKept(first).catch(whenTooLate);
      await second.query("ROLLBACK");
      if (!kept) throw new Error(TRANSACTION_POOLING);
    }),
  );
}

/** False on a timeout: a pool of one connection waits for the second. A cut connection says nothing of the mode. */
function whenTooLate(error: Error): false {
  if (/timeout/.test(error.message)) return false;
  throw error;
}

async function hasKept(client: DatabaseClient): Promise<boolean> {
  const { rows } = await client.query<{ kept: boolean }>("SELECT current_setting('extra_float_digits') = '2' AS kept");
  return rows[0]?.kept ?? false;
}

const TRANSACTION_POOLING =
  "DATABASE_URL points to a connection pooler in transaction mode. Signalbox needs sessions (LISTEN, settings, prepared statements). Use PostgreSQL's own address, or a pool in session mode (PgBouncer: pool_mode = session) with 25 server connections for each web process and worker.";

/** Returns how many ms this clock is ahead of the server's, exact to half of the round trip. */
export function measureClockDifference(databaseUrl: string, { now }: Pick<Clock, "now">): Promise<number> {
  return ask(databaseUrl, async (client) => {
    const before = now();
    const { rows } = await client.query<{ ms: number }>("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms");
    return (before + now()) / 2 - (rows[0]?.ms ?? before);
  });
}

async function ask<T>(databaseUrl: string, question: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
  await client.connect();
  try {
    return await question(client);
  } finally {
    await client.end();
  }
}
