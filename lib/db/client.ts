import pg from "pg";
import { once } from "#lib/context/once";
import { noteIfUnavailable } from "./unavailable.ts";

/** Grace after the server should have cancelled a statement: a quarter of its limit, at most this. */
const MAX_GRACE_MS = 1500;
const KEEPALIVE_MS = 10_000;
/** A closing connection waits this long for the server's end. */
const CLOSE_LIMIT_MS = 500;
const PROBE_LIMIT_MS = 3000;

type ConnectionLimits = {
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** The server cancels at this limit; this side gives the connection up a little later. */
  statementMs: number;
  connectMs: number;
  session?: Record<string, string | number>;
};

/** How values are written and names found must not depend on what a provider set for the database or the role. */
const READING = { DateStyle: "ISO, MDY", IntervalStyle: "postgres", bytea_output: "hex", search_path: "public" };

/** Plans must not depend on the server's defaults: pages cost about the same anywhere, and compiling takes longer than our statements. */
const PLANS = { random_page_cost: 1.1, jit: "off" };

/** Makes a statement look up each of its keys: for a batch of a thousand the planner would read whole, growing tables. */
export const BY_KEY = { enable_seqscan: "off", enable_bitmapscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };

/** Bounds connections in time on both sides: if packets are dropped, the server's statement_timeout never reaches this one. */
export const connectionOptions = (databaseUrl: string | undefined, { name, statementMs, connectMs, session }: ConnectionLimits) => ({
  connectionString: databaseUrl,
  application_name: name,
  connectionTimeoutMillis: connectMs,
  // Prisma's driver adapter writes and reads times without their zone.
  session: { TimeZone: "UTC", statement_timeout: statementMs, ...READING, ...PLANS, ...session },
  query_timeout: statementMs + Math.min(MAX_GRACE_MS, statementMs / 4),
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_MS,
});

/** `query_timeout`: milliseconds after which its connection is destroyed. */
export type TimedQuery = pg.QueryConfig & { query_timeout: number };

type SessionConfig = pg.ClientConfig & { session?: Record<string, string | number> };

const settingsOf = (session: Record<string, string | number>): string =>
  Object.entries(session)
    .map(([name, value]) => `SET ${name} = ${pg.escapeLiteral(String(value))}`)
    .join("; ");

/** Members that pg has and its types lack. */
type Internals = {
  _queryable: boolean;
  connectionParameters: { query_timeout?: number | false; application_name?: string };
  getTransactionStatus(): "I" | "T" | "E" | null;
};
type Send = (...values: unknown[]) => unknown;

const connections = () => once("database-connections", () => ({ all: new Set<DatabaseClient>(), probing: false }));

/** Server routine that warns of a cancelled wait for a standby; the statement counts as done. Not the text, which is translated. */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** Connections whose success is reported to others, so that it must mean what it says: the receiver's. */
const STRICT = "signalbox-receiver";
const NOT_REPLICATED = "the synchronous standby did not confirm the commit in time";

const isReadTimeout = (error: unknown) => error instanceof Error && error.message === "Query read timeout";

/** Destroyed when the server falls silent: pg keeps a timed-out statement active, and the next user would wait behind it. */
export class DatabaseClient extends pg.Client {
  /** By `performance.now()`; null without a statement. */
  sentAt: number | null = null;
  private pending = 0;
  /** Committed on the primary alone: the wait for the standby was cancelled. */
  private unreplicated = false;
  private readonly settings: string;

  constructor(config?: SessionConfig) {
    super(config);
    this.settings = settingsOf(config?.session ?? {});
    this.on("notice", ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.unreplicated = true;
    });
    // Lost between two statements: the next one fails. Without a listener the process would end.
    this.on("error", () => undefined);
    const send: Send = (...values) => (super.query as Send).apply(this, values);
    this.query = ((...values: unknown[]) => this.watch(send, values)) as typeof this.query;
    connections().all.add(this);
    this.once("end", () => connections().all.delete(this));
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = super.connect().then(() => this.applySettings());
    if (!callback) return connected;
    connected.then(() => callback(null as unknown as Error), callback);
    return undefined;
  }

  /** Sets them by a statement: poolers reject or drop settings in the startup message (PgBouncer's ignore_startup_parameters). */
  async applySettings(): Promise<this> {
    if (this.settings !== "") await this.query(this.settings);
    return this;
  }

  private get internals(): Internals {
    return this as unknown as Internals;
  }

  private watch(send: Send, values: unknown[]): unknown {
    this.pending += 1;
    this.sentAt ??= performance.now();
    const settle = (error?: unknown) => {
      this.pending -= 1;
      this.sentAt = this.pending > 0 ? performance.now() : null;
      if (error) noteIfUnavailable(error);
      if (!isReadTimeout(error)) return;
      this.destroy();
      probeIdleConnections();
    };
    const callback = values.at(-1);
    if (typeof callback === "function")
      return send(...values.slice(0, -1), (error: unknown, result: unknown) => {
        settle(error);
        callback(error ?? this.takeUnreplicated(), result);
      });
    const result = send(...values);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value) => {
        settle();
        const error = this.takeUnreplicated();
        if (error) throw error;
        return value;
      },
      (error) => {
        settle(error);
        throw error;
      },
    );
  }

  /** Returns an error for a statement that the server called a success. */
  private takeUnreplicated(): Error | null {
    if (!this.unreplicated) return null;
    this.unreplicated = false;
    return this.internals.connectionParameters.application_name?.startsWith(STRICT) ? new Error(NOT_REPLICATED) : null;
  }

  /** Closes without telling the server: what waits fails at once, and no pool takes the connection back. */
  destroy(): void {
    this.internals._queryable = false;
    this.connection.stream.destroy();
  }

  /** Lifts the limit for work that `watchBackend` supervises. */
  liftLimit(): void {
    this.internals.connectionParameters.query_timeout = false;
  }

  /** Neither used nor in a transaction: a probe disturbs no work. */
  get isIdle(): boolean {
    return this.pending === 0 && this.internals._queryable && this.internals.getTransactionStatus() === "I";
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    // A silent server never closes its side.
    const timer = setTimeout(() => this.connection.stream.destroy(), CLOSE_LIMIT_MS);
    timer.unref();
    this.connection.once("end", () => clearTimeout(timer));
    return callback ? void super.end(callback) : super.end();
  }
}

/** Destroys idle connections whose server doesn't answer in 3 s. Called when one was silent: each other would cost a time-out. */
export function probeIdleConnections(): void {
  if (connections().probing) return;
  connections().probing = true;
  const question: TimedQuery = { text: "SELECT 1", query_timeout: PROBE_LIMIT_MS };
  const probes = [...connections().all].filter((client) => client.isIdle).map((client) => client.query(question).catch(() => undefined));
  void Promise.all(probes).then(() => {
    connections().probing = false;
  });
}
