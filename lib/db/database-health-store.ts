import { inTime } from "#lib/time/waits";
import type { TimedQuery } from "./client.ts";
import { pool } from "./pool.ts";
import type { PoolName } from "./pool-sizes.ts";
import { queryCount } from "./rows.ts";

const PING_TIMEOUT_MS = 2000;

/** Without an answer the connection is destroyed: a silent one must not stay in the pool. */
const PING: TimedQuery = {
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
    const { rows } = await client.query<{ read_only: boolean }>(PING);
    readOnly = rows[0]?.read_only ?? true;
    return readOnly ? "read_only" : "well";
  } finally {
    // A session that began read-only stays so, and a failed one is not given back either.
    client.release(readOnly);
  }
}

export const findDatabaseSize = (): Promise<number> =>
  queryCount<{ bytes: number }>(pool(), "SELECT pg_database_size(current_database()) AS bytes");

/**
 * Losses that an acknowledged event survives: `nothing_new` (commits wait for a missing standby), `process` (not even a power cut),
 * `restart` of the server, `restart_standby` (the same, with standbys that follow behind), `server_loss`.
 */
export type Survives = "nothing_new" | "process" | "restart" | "restart_standby" | "server_loss";

type Row = { fsync: string; pages: string; names: string; standbys: number; synchronous: number };

const DURABILITY = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
    current_setting('synchronous_standby_names') AS names, count(r.pid)::int AS standbys,
    (count(r.pid) FILTER (WHERE r.sync_state IN ('sync', 'quorum')))::int AS synchronous
  FROM (SELECT 1) one LEFT JOIN pg_stat_replication r ON true`;

/** Asks for standbys. Without the right of `pg_monitor` the synchronous ones are unknown, and any connected one counts. */
export async function findDurability(): Promise<Survives> {
  const { rows } = await pool().query<Row & { told: boolean }>(
    `SELECT d.*, pg_has_role('pg_read_all_stats', 'USAGE') AS told FROM (${DURABILITY}) d`,
  );
  return rows[0] ? durabilityOf(rows[0], rows[0].told) : "restart";
}

function durabilityOf({ fsync, pages, names, standbys, synchronous }: Row, told: boolean): Survives {
  if (fsync === "off" || pages === "off") return "process";
  if (names !== "") return (told ? synchronous : standbys) > 0 ? "server_loss" : "nothing_new";
  return standbys > 0 ? "restart_standby" : "restart";
}
