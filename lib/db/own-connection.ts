import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { DatabaseClient } from "./client.ts";
import { changesOne, queryCount, queryValue } from "./rows.ts";

/** No statement of long work is cut, and its sorts and temporary tables may stay in memory. */
const SETTINGS = "SET statement_timeout = 0; SET work_mem = '64MB'; SET temp_buffers = '64MB'";

/** Runs long work on one connection: if that is lost, the work fails instead of going on with empty temporary tables. */
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

/** A table's writers queue up while we wait for its lock. */
const LOCK_TIMEOUT = "10s";

/** The commit's answer was lost, and the database did not tell its outcome later. */
export class OutcomeUnknown extends Error {
  override name = "OutcomeUnknown";
}

/** Runs `work` on one snapshot; `from` is asked after a lost commit. @param frozen table closed to writers @throws OutcomeUnknown */
export async function inSnapshot<T>(from: pg.Pool, client: pg.PoolClient, frozen: "views" | null, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  let result: T;
  let xid: string | null;
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    // Before the first query: the snapshot is taken when the lock is held.
    if (frozen) await client.query(`LOCK TABLE ${frozen} IN SHARE ROW EXCLUSIVE MODE`);
    result = await work();
    xid = await writtenAs(client);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  try {
    await client.query("COMMIT");
  } catch (error) {
    if (xid === null || !(await wasCommitted(from, xid))) throw error;
  }
  return result;
}

const writtenAs = (client: pg.PoolClient): Promise<string | null> =>
  queryValue<{ xid: string | null }>(client, "SELECT pg_current_xact_id_if_assigned()::text AS xid");

const ASK_TIMES = 30;
const ASK_PAUSE_MS = 1000;

async function wasCommitted(from: pg.Pool, xid: string): Promise<boolean> {
  for (let left = ASK_TIMES; left > 0; left -= 1) {
    const status = await from.query<{ status: string | null }>("SELECT pg_xact_status($1::text::xid8) AS status", [xid]).then(
      ({ rows }) => rows[0]?.status,
      () => null, // the database is away
    );
    if (status === "committed") return true;
    if (status === "aborted") return false;
    await sleep(ASK_PAUSE_MS);
  }
  throw new OutcomeUnknown("The database did not confirm whether the transaction was committed.");
}

const LOOK_MS = 10_000;

/** Replaces the statement limit: every 10 s another connection asks if the server still works; after two misses this one is destroyed. */
async function watchBackend(from: pg.Pool, pooled: pg.PoolClient): Promise<() => void> {
  const client = pooled as unknown as DatabaseClient;
  const pid = await findBackendPid(client);
  client.liftLimit();
  let suspected: number | null = null;
  const look = async () => {
    const { sentAt } = client;
    if (sentAt === null || performance.now() - sentAt < LOOK_MS || (await isBusy(from, pid)) || client.sentAt !== sentAt) {
      suspected = null;
    } else if (suspected === sentAt) {
      client.destroy();
    } else {
      suspected = sentAt;
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS); // no answer: the next look asks again
  return () => clearInterval(timer);
}

const findBackendPid = (client: pg.ClientBase): Promise<number> => queryCount<{ pid: number }>(client, "SELECT pg_backend_pid() AS pid");

/** False for a backend that is gone or has sent its whole answer (idle). */
const isBusy = (from: pg.Pool, pid: number): Promise<boolean> =>
  changesOne(from, "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'", [pid]);
