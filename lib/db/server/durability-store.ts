import { pool } from "../pool.ts";

/**
 * Losses that an acknowledged event survives: `nothing_new` (commits wait for a missing standby), `process` (not even a power cut),
 * `restart` of the server, `restart_standby` (the same, with standbys that follow behind), `server_loss`.
 */
export type Survives = "nothing_new" | "process" | "restart" | "restart_standby" | "server_loss";

type Row = { fsync: string; pages: string; names: string; standbys: number; synchronous: number };

const QUESTION = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
    current_setting('synchronous_standby_names') AS names, count(r.pid)::int AS standbys,
    (count(r.pid) FILTER (WHERE r.sync_state IN ('sync', 'quorum')))::int AS synchronous
  FROM (SELECT 1) one LEFT JOIN pg_stat_replication r ON true`;

/** Asks for standbys. Without the right of `pg_monitor` the synchronous ones are unknown, and any connected one counts. */
export async function findDurability(): Promise<Survives> {
  const { rows } = await pool().query<Row & { told: boolean }>(
    `SELECT d.*, pg_has_role('pg_read_all_stats', 'USAGE') AS told FROM (${QUESTION}) d`,
  );
  return rows[0] ? durabilityOf(rows[0], rows[0].told) : "restart";
}

function durabilityOf({ fsync, pages, names, standbys, synchronous }: Row, told: boolean): Survives {
  if (fsync === "off" || pages === "off") return "process";
  if (names !== "") return (told ? synchronous : standbys) > 0 ? "server_loss" : "nothing_new";
  return standbys > 0 ? "restart_standby" : "restart";
}
