import { pool } from "../pool.ts";

/**
 * Losses that an acknowledged event survives, as far as the server tells: new events none (`nothing_new`: commits
 * wait for a standby that is not connected), not even a power cut (`process`), a crash and restart of the server
 * (`restart`), the same with standbys that follow behind it (`restart_standby`), or the loss of the server (`server_loss`).
 */
export type Survives = "nothing_new" | "process" | "restart" | "restart_standby" | "server_loss";

type Row = { fsync: string; pages: string; names: string; standbys: number; synchronous: number };

const QUESTION = `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
    current_setting('synchronous_standby_names') AS names, count(r.pid)::int AS standbys,
    (count(r.pid) FILTER (WHERE r.sync_state IN ('sync', 'quorum')))::int AS synchronous
  FROM (SELECT 1) one LEFT JOIN pg_stat_replication r ON true`;

/**
 * Asks the server for its standbys. Only a member of `pg_monitor` sees which of them are synchronous: without that
 * right a standby that is connected while commits have to wait for one counts.
 */
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
