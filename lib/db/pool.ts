import pg from "pg";
import { env } from "#lib/config/env";
import { forget, once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { parseExact } from "#lib/contracts/json/exact-json";
import { codeOf } from "#lib/observability/error-code";
import { logger } from "#lib/observability/logger";
import { inTime } from "#lib/time/in-time";
import { BY_KEY, connectionOptions, DatabaseClient } from "./connection/client.ts";
import { connectAgainWhenBusy } from "./connection/connect-again.ts";
import { flushNotifications } from "./notify/notify.ts";
import { noteIfUnavailable } from "./unavailable.ts";

// COUNT and bigint ids come back as numbers: both stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Fields of records and filters hold numbers of payloads.
for (const type of [pg.types.builtins.JSON, pg.types.builtins.JSONB]) pg.types.setTypeParser(type, parseExact);

/**
 * Users of a pool: pages and API, the webhook receiver (apart for large bodies), the worker, or its job
 * queue (pg-boss). Apart, so that none starves another. `claims` is the worker's
 * too: it records there what a transaction on another connection has claimed,
 * and the two must not wait for each other.
 */
export type PoolName = "web" | "receiver" | "receiver-large" | "worker" | "claims" | "queue" | "forwarding";

const SIZES: Record<PoolName, number> = { web: 10, receiver: 3, "receiver-large": 1, worker: 4, claims: 1, queue: 3, forwarding: 3 };

/**
 * The lease on what a worker has claimed, in milliseconds: a worker that hangs
 * or is stopped in a transaction is ended by the database, its locks are free
 * and nothing of it was done. `tcp_user_timeout` does the same for one that no
 * longer reads its answers. Work that lasts longer between two statements has
 * no place in a transaction.
 */
const WORKER_LEASE_MS = 10_000;
const WORKER_LEASE = { idle_in_transaction_session_timeout: WORKER_LEASE_MS, tcp_user_timeout: WORKER_LEASE_MS };

const SESSIONS: Partial<Record<PoolName, Record<string, string | number>>> = {
  // Events answered 2xx must be on disk, even where the server's own default is to answer before that.
  receiver: { synchronous_commit: "on", ...BY_KEY },
  "receiver-large": { synchronous_commit: "on", ...BY_KEY },
  worker: WORKER_LEASE,
  // A claim must outlive this process and this server's restart, and need not wait for a standby.
  claims: { synchronous_commit: "local", ...BY_KEY },
};

/** Time that connections in use have at shutdown; then they are destroyed. Milliseconds. */
const CLOSE_LIMIT_MS = 500;

/** A statement of pages and workers may take so long. */
export const STATEMENT_LIMIT_MS = 30_000;

/**
 * The receiver must answer within 5 s whatever the database does, and a little later for a body of up to 64 MiB
 * (ReceiverLog). pg waits for a connection for ever unless it is told not to.
 */
const LIMITS: Partial<Record<PoolName, { statementMs: number; connectMs: number }>> = {
  receiver: { statementMs: 2000, connectMs: 2000 },
  "receiver-large": { statementMs: 16_000, connectMs: 2000 },
};

type Pools = Partial<Record<PoolName, pg.Pool>>;
const poolsOfProcess = (): Pools => once<Pools>("pools", () => ({}));
const clientsOf = new WeakMap<pg.Pool, Set<DatabaseClient>>();

/** The process's connection pool of that name, made on first use. */
export function pool(name: PoolName = "web"): pg.Pool {
  const pools = poolsOfProcess();
  pools[name] ??= openPool(name);
  return pools[name];
}

function openPool(name: PoolName): pg.Pool {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new AppError("unavailable", "DATABASE_URL is not set. Start Signalbox with npm start, or set it.");
  const limits = LIMITS[name] ?? { statementMs: STATEMENT_LIMIT_MS, connectMs: 5000 };
  const opened = new pg.Pool({
    ...connectionOptions(DATABASE_URL, { name: `signalbox-${name}`, ...limits, session: SESSIONS[name] ?? {} }),
    Client: DatabaseClient,
    max: SIZES[name],
  });
  // The receiver answers in time, whoever is to blame.
  watchConnects(opened, { again: LIMITS[name] === undefined });
  const clients = new Set<DatabaseClient>();
  clientsOf.set(opened, clients);
  opened.on("connect", (client) => clients.add(client as unknown as DatabaseClient));
  opened.on("remove", (client) => clients.delete(client as unknown as DatabaseClient));
  opened.on("error", (error) => logger().warn({ pool: name, reason: error.message }, "an idle database connection was lost"));
  return opened;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void;

/** Notes failures to connect, and tries again after those that this process caused. Also `pool.query` connects this way, by a callback. */
function watchConnects(opened: pg.Pool, { again }: { again: boolean }): void {
  const connectOnce = opened.connect.bind(opened);
  const connected = async () => {
    try {
      return await (again ? connectAgainWhenBusy(() => connectOnce()) : connectOnce());
    } catch (error) {
      noteIfUnavailable(error);
      throw error;
    }
  };
  const connect = (callback?: Connected) =>
    callback
      ? void connected().then(
          (client) => callback(undefined, client, client.release),
          (error: Error) => callback(error, undefined, () => undefined),
        )
      : connected();
  opened.connect = connect as typeof opened.connect;
}

/**
 * Sends the notifications that are still held back, then ends every pool of this
 * process. What is still in use after half a second is cut: a silent server
 * would be waited for.
 */
export async function closePools(): Promise<void> {
  const pools = Object.values(forget<Pools>("pools") ?? {});
  await Promise.all(
    pools.map(async (each) => {
      await flushNotifications(each);
      const cut = setTimeout(() => {
        for (const client of clientsOf.get(each) ?? []) client.destroy();
      }, CLOSE_LIMIT_MS);
      await inTime(each.end(), 2 * CLOSE_LIMIT_MS, () => undefined);
      clearTimeout(cut);
    }),
  );
}

const BEGIN_BY_KEY = ["BEGIN", ...Object.entries(BY_KEY).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join("; ");

/**
 * Runs `work` in one transaction on one connection: committed when it returns,
 * rolled back when it throws.
 */
export const inTransaction = <T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => transact("BEGIN", from, work);

/** The same for statements that look up keys and read on from a place: no plan of theirs reads whole tables, however old statistics are. */
export const inTransactionByKey = <T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transact(BEGIN_BY_KEY, from, work);

async function transact<T>(begin: string, from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await from.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollback: Error) => {
      broken = rollback; // the connection is in no known state: don't give it back
    });
    // A session that was opened while the database was read-only stays so: the next one may write.
    if (codeOf(error) === "25006") broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work` in a savepoint of the current transaction: when it throws, what
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
