import pg from "pg";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/app-error";
import { logger } from "#lib/observability/logger";

// COUNT and bigint ids come back as numbers: both stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Who uses a pool: pages and API, the webhook receiver, or the worker. Apart, so that none starves another. */
export type PoolName = "web" | "receiver" | "worker";

const SIZES: Record<PoolName, number> = { web: 10, receiver: 3, worker: 4 };

/**
 * The lease on what a worker has claimed, in milliseconds: a worker that hangs
 * or is stopped in a transaction is ended by the database, its locks are free
 * and nothing of it was done. `tcp_user_timeout` does the same for one that no
 * longer reads its answers. Work that lasts longer between two statements has
 * no place in a transaction.
 */
const WORKER_LEASE_MS = 10_000;
const WORKER_LEASE = `-c idle_in_transaction_session_timeout=${WORKER_LEASE_MS} -c tcp_user_timeout=${WORKER_LEASE_MS}`;

type Pools = Partial<Record<PoolName, pg.Pool>>;
const shared = globalThis as typeof globalThis & { signalboxPools?: Pools };

/** The process's connection pool of that name, made on first use. */
export function pool(name: PoolName = "web"): pg.Pool {
  shared.signalboxPools ??= {};
  const pools = shared.signalboxPools;
  pools[name] ??= openPool(name);
  return pools[name];
}

function openPool(name: PoolName): pg.Pool {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new AppError("unavailable", "DATABASE_URL is not set. Start Signalbox with npm start, or set it.");
  const receiver = name === "receiver";
  const opened = new pg.Pool({
    connectionString: DATABASE_URL,
    application_name: `signalbox-${name}`,
    max: SIZES[name],
    // pg waits for a connection for ever unless it is told not to.
    connectionTimeoutMillis: receiver ? 2000 : 5000,
    // The receiver must answer within 5 s whatever the database does.
    // What it answers 2xx must be on disk, even where the server's own default is to answer before that.
    ...(receiver ? { query_timeout: 2500, statement_timeout: 2000, options: "-c synchronous_commit=on" } : { statement_timeout: 30_000 }),
    ...(name === "worker" && { options: WORKER_LEASE }),
  });
  // A connection that is lost between two statements of its user says so by an event, and unheard it would end
  // the process. The user hears of it with the next statement.
  opened.on("connect", (client) => client.on("error", () => undefined));
  opened.on("error", (error) => logger().warn({ pool: name, reason: error.message }, "an idle database connection was lost"));
  return opened;
}

/** Ends every pool of this process. */
export async function closePools(): Promise<void> {
  const pools = Object.values(shared.signalboxPools ?? {});
  shared.signalboxPools = {};
  await Promise.all(pools.map((each) => each.end()));
}

/**
 * Runs `work` in one transaction on one connection: committed when it returns,
 * rolled back when it throws.
 */
export async function inTransaction<T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await from.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollback: Error) => {
      broken = rollback; // the connection is in no known state: don't give it back
    });
    // A session that was opened while the database was read-only stays so: the next one may write.
    if ((error as { code?: string }).code === "25006") broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work` in a savepoint of the transaction in hand: when it throws, what
 * it wrote is undone and the transaction goes on.
 */
export async function inSavepoint<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("SAVEPOINT step");
  try {
    return await work();
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT step");
    throw error;
  }
}
