import type pg from "pg";
import type { DatabaseClient } from "./client.ts";

const LOOK_MS = 10_000;

/** Replaces the statement limit: every 10 s another connection asks if the server still works; after two misses this one is destroyed. */
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

/** False for a backend that is gone or has sent its whole answer (idle). */
async function isBusy(from: pg.Pool, pid: number): Promise<boolean> {
  const { rowCount } = await from.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'", [pid]);
  return rowCount === 1;
}
