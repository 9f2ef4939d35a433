import type pg from "pg";
import type { DatabaseClient } from "./client.ts";

const LOOK_MS = 10_000;

/**
 * Lifts a connection's limit on statements and asks over other connections of
 * the pool instead, every 10 s, whether the server still works on the statement
 * in hand. When twice it does not, the answer was lost on the way: the
 * connection is destroyed and the statement fails.
 *
 * @returns a function that ends the watch
 */
export async function watchBackend(from: pg.Pool, pooled: pg.PoolClient): Promise<() => void> {
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

async function findBackendPid(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}

/** A backend that has sent its whole answer is idle, or gone. */
async function isBusy(from: pg.Pool, pid: number): Promise<boolean> {
  const { rowCount } = await from.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'", [pid]);
  return rowCount === 1;
}
