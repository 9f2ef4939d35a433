import { performance } from "node:perf_hooks";
import pg from "pg";
import { env } from "#lib/config/env";
import { forget, once } from "#lib/context/once";
import { AppError } from "#lib/contracts/api/app-error";
import { parseExact } from "#lib/contracts/exact-json";
import { codeOf, logger } from "#lib/observability/logger";
import { inTime } from "#lib/time/waits";
import { BY_KEY, connectionOptions, DatabaseClient } from "./client.ts";
import { dispatchTold, flushNotifications } from "./notifications.ts";
import { type PoolName, poolOf, poolSize } from "./pool-sizes.ts";
import { CONNECT_TIMEOUTS, noteIfUnavailable } from "./unavailable.ts";

// COUNT and bigint IDs stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Records and filters hold numbers of payloads, which must stay exact.
for (const type of [pg.types.builtins.JSON, pg.types.builtins.JSONB]) pg.types.setTypeParser(type, parseExact);

/** The database ends a worker that hangs in a transaction, or reads no answers, and frees its locks. Work between statements is shorter. */
const WORKER_LEASE_MS = 10_000;
const WORKER_LEASE = { idle_in_transaction_session_timeout: WORKER_LEASE_MS, tcp_user_timeout: WORKER_LEASE_MS };

const SESSIONS: Partial<Record<PoolName, Record<string, string | number>>> = {
  // Events answered 2xx must be on disk, even where the server's default is to answer before that.
  receiver: { synchronous_commit: "on", ...BY_KEY },
  "receiver-large": { synchronous_commit: "on", ...BY_KEY },
  worker: WORKER_LEASE,
  // A claim must outlive this process and a restart of the server, but need not wait for a standby.
  claims: { synchronous_commit: "local", ...BY_KEY },
};

/** Connections in use have this long at shutdown. */
const CLOSE_LIMIT_MS = 500;

export const STATEMENT_LIMIT_MS = 30_000;

/** The receiver must answer within 5 s, a little later for bodies up to 64 MiB (ReceiverLog). pg's default is to wait for ever. */
const LIMITS: Partial<Record<PoolName, { statementMs: number; connectMs: number }>> = {
  receiver: { statementMs: 2000, connectMs: 2000 },
  "receiver-large": { statementMs: 16_000, connectMs: 2000 },
};

type Pools = Partial<Record<PoolName, pg.Pool>>;
const poolsOfProcess = (): Pools => once<Pools>("pools", () => ({}));
const clientsOf = new WeakMap<pg.Pool, Set<DatabaseClient>>();

export function pool(name: PoolName = "web"): pg.Pool {
  const pools = poolsOfProcess();
  const of = poolOf(name);
  pools[of] ??= openPool(of);
  return pools[of];
}

function openPool(name: PoolName): pg.Pool {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new AppError("unavailable", "DATABASE_URL is not set. Start Signalbox with npm start, or set it.");
  const limits = LIMITS[name] ?? { statementMs: STATEMENT_LIMIT_MS, connectMs: 5000 };
  const opened = new pg.Pool({
    ...connectionOptions(DATABASE_URL, { name: `signalbox-${name}`, ...limits, session: SESSIONS[name] ?? {} }),
    Client: DatabaseClient,
    max: poolSize(name),
  });
  // The receiver must answer in time, whatever the cause.
  watchConnects(opened, { again: LIMITS[name] === undefined });
  const clients = new Set<DatabaseClient>();
  clientsOf.set(opened, clients);
  opened.on("connect", (client) => clients.add(client as unknown as DatabaseClient));
  opened.on("remove", (client) => clients.delete(client as unknown as DatabaseClient));
  opened.on("error", (error) => logger().warn({ pool: name, reason: error.message }, "an idle database connection was lost"));
  return opened;
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void;

/** Notes failures to connect, and retries those that this process caused. `pool.query` connects this way too, by a callback. */
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

/** Sends held-back notifications and ends every pool. What is in use after half a second is cut: a silent server would be waited for. */
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

export const inTransaction = <T>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => transact("BEGIN", from, work);

/** Runs the worker's key look-ups: no plan reads whole tables, however old the statistics. */
export const inTransactionByKey = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transact(BEGIN_BY_KEY, pool("worker"), work);

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
      broken = rollback; // its state is unknown: don't give it back
    });
    // A session opened while the database was read-only stays so: the next one may write.
    if (codeOf(error) === "25006") broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
    dispatchTold(client);
  }
}

/** Runs `work` in a savepoint: if it throws, its writes are undone and the transaction goes on. */
export async function inSavepoint<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("SAVEPOINT step");
  try {
    return await work();
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT step");
    throw error;
  }
}

const MAX_TRIES = 3;
/** Share of a wait in which the event loop ran code, or had no processor to run it. */
const MAX_BUSY = 0.5;

/** Connects again if the time ran out while this process was busy: Node runs expired timers before it reads the answer. */
export async function connectAgainWhenBusy<T>(connect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = performance.eventLoopUtilization();
    try {
      return await connect();
    } catch (error) {
      const wasBusy = performance.eventLoopUtilization(before).utilization > MAX_BUSY;
      if (!wasBusy || tries === MAX_TRIES || !CONNECT_TIMEOUTS.includes((error as Error).message)) throw error;
    }
  }
}
