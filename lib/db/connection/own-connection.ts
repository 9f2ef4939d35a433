import type pg from "pg";
import { watchBackend } from "./backend-watch.ts";

/** Long work has no hurry: no statement is cut, and sorts and temporary tables may stay in memory. */
const SETTINGS = "SET statement_timeout = 0; SET work_mem = '64MB'; SET temp_buffers = '64MB'";

/**
 * Runs long work on one connection, which is closed afterwards: its temporary
 * tables go with it, and when it is lost the work fails with it instead of
 * going on with tables that are empty.
 */
export async function onOwnConnection<T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await from.connect();
  let stopWatching = () => {};
  try {
    await client.query(SETTINGS);
    stopWatching = await watchBackend(from, client);
    return await work(client);
  } finally {
    stopWatching();
    client.release(true);
  }
}

/** How long a lock on a table is waited for; who writes to it queues up meanwhile. */
const LOCK_TIMEOUT = "10s";

/**
 * Runs `work` on one unchanging picture of the database: all its statements see
 * the same moment.
 *
 * @param frozen a table that nobody else may write to until the end; readers go on
 */
export async function inSnapshot<T>(client: pg.PoolClient, frozen: "views" | null, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    // Before the first query: the picture is taken when the lock is held.
    if (frozen) await client.query(`LOCK TABLE ${frozen} IN SHARE ROW EXCLUSIVE MODE`);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
