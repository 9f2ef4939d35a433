import { inTime } from "#lib/time/in-time";
import type { TimedQuery } from "../connection/client.ts";
import { type PoolName, pool } from "../pool.ts";

const PING_TIMEOUT_MS = 2000;

/** Without an answer the connection is destroyed: a silent one must not stay in the pool. */
const QUESTION: TimedQuery = {
  text: "SELECT current_setting('transaction_read_only')::boolean AS read_only",
  query_timeout: PING_TIMEOUT_MS,
};

export type Ping = "well" | "read_only" | "silent" | "no_connection_free";

/** Answers within 2 seconds, whatever the database does. */
export async function ping(name: PoolName = "web"): Promise<Ping> {
  const silent = (): Ping => "silent";
  const found = await inTime(ask(name).catch(silent), PING_TIMEOUT_MS, silent);
  const { totalCount, idleCount, options } = pool(name);
  return found === "silent" && idleCount === 0 && totalCount >= (options.max ?? 0) ? "no_connection_free" : found;
}

async function ask(name: PoolName): Promise<Ping> {
  const client = await pool(name).connect();
  let readOnly = true;
  try {
    const { rows } = await client.query<{ read_only: boolean }>(QUESTION);
    readOnly = rows[0]?.read_only ?? true;
    return readOnly ? "read_only" : "well";
  } finally {
    // A session that began read-only stays so, and a failed one is not given back either.
    client.release(readOnly);
  }
}

export async function findDatabaseSize(): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes");
  return rows[0]?.bytes ?? 0;
}
