import pg from "pg";
import { once } from "#lib/context/once";
import { noteIfUnavailable } from "#lib/db/unavailable";

/** A statement is given up here this long after the server should have cancelled it: a quarter of its limit, at most so many milliseconds. */
const MAX_GRACE_MS = 1500;
const KEEPALIVE_MS = 10_000;
/** A connection that is closed waits this long for the server's end, then it is destroyed. */
const CLOSE_LIMIT_MS = 500;
const PROBE_LIMIT_MS = 3000;

type ConnectionLimits = {
  /** `application_name`: what `pg_stat_activity` shows. */
  name: string;
  /** Time limit of a statement. The server cancels it then; a little later this side gives the connection up. */
  statementMs: number;
  connectMs: number;
  /** Further settings of the session, by name. */
  session?: Record<string, string | number>;
};

/**
 * Settings that plans depend on, whatever the server's defaults are: a page costs about the same wherever it lies, and no statement of ours takes
 * as long as it takes to compile one.
 */
const PLANS = { random_page_cost: 1.1, jit: "off" };

/**
 * Settings under which a statement looks up each of the keys that it is given, and reads on from a place in an index. Left to itself the
 * planner reads a whole table for a batch of a thousand keys, so that an event costs more the more there are.
 */
export const BY_KEY = { enable_seqscan: "off", enable_bitmapscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };

/**
 * Returns how every connection to the database is opened: bounded in time on both
 * sides, with a keepalive after 10 s of silence. Without a limit on this side a
 * connection whose packets are dropped (a firewall that forgot it, a failed-over
 * address) waits for ever: the server's statement_timeout never reaches it.
 */
export const connectionOptions = (databaseUrl: string | undefined, { name, statementMs, connectMs, session }: ConnectionLimits) => ({
  connectionString: databaseUrl,
  application_name: name,
  connectionTimeoutMillis: connectMs,
  // Prisma's driver adapter writes and reads times without their zone.
  session: { TimeZone: "UTC", statement_timeout: statementMs, ...PLANS, ...session },
  query_timeout: statementMs + Math.min(MAX_GRACE_MS, statementMs / 4),
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_MS,
});

/** A statement with a limit of its own, in milliseconds, after which its connection is destroyed. */
export type TimedQuery = pg.QueryConfig & { query_timeout: number };

/** Result of `connectionOptions`. */
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

/** Every connection of the process, and whether the idle ones are being asked. */
const connections = () => once("database-connections", () => ({ all: new Set<DatabaseClient>(), probing: false }));

/**
 * The routine of the server that warns when a wait for a synchronous standby was cancelled: the statement is then
 * reported as done, though the loss of the primary would undo it. Its name, because the text is translated.
 */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** Begins the names of connections whose success is reported to others, so that it must mean what it says: the receiver's. */
const STRICT = "signalbox-receiver";
const NOT_REPLICATED = "the synchronous standby did not confirm the commit in time";

const isReadTimeout = (error: unknown) => error instanceof Error && error.message === "Query read timeout";

/**
 * A pg client that is destroyed when the server stops answering. pg itself only
 * rejects the statement that timed out: it keeps the statement as the active
 * one, and whoever gets the connection next waits behind it.
 */
export class DatabaseClient extends pg.Client {
  /** When the current statement was sent, by `performance.now()`; null when there is none. */
  sentAt: number | null = null;
  private pending = 0;
  /** The server has committed on the primary alone: somebody or a time limit cancelled its wait for the standby. */
  private unreplicated = false;
  private readonly settings: string;

  constructor(config?: SessionConfig) {
    super(config);
    this.settings = settingsOf(config?.session ?? {});
    this.on("notice", ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.unreplicated = true;
    });
    // Lost between two statements: the next statement fails. Without a listener the process would end.
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

  /**
   * Sets what the session is to work with. As a statement: a pooler rejects settings in the startup message, or drops
   * them without a word (PgBouncer's ignore_startup_parameters).
   */
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

  /** Returns what the last statement fails with although the server called it a success. */
  private takeUnreplicated(): Error | null {
    if (!this.unreplicated) return null;
    this.unreplicated = false;
    return this.internals.connectionParameters.application_name?.startsWith(STRICT) ? new Error(NOT_REPLICATED) : null;
  }

  /** Closes the connection without a word to the server. What waits on it fails at once, and no pool takes it back. */
  destroy(): void {
    this.internals._queryable = false;
    this.connection.stream.destroy();
  }

  /** Lifts this side's limit on statements, for work that `watchBackend` (backend-watch.ts) supervises. */
  liftLimit(): void {
    this.internals.connectionParameters.query_timeout = false;
  }

  /** Neither used nor in a transaction, so that a question in between disturbs nobody. */
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

/**
 * Asks every idle connection of this process whether its server still answers;
 * one that does not within 3 s is destroyed. Called when one was found silent:
 * what silenced it silences the others too, and each would cost its next user
 * a whole time-out.
 */
export function probeIdleConnections(): void {
  if (connections().probing) return;
  connections().probing = true;
  const question: TimedQuery = { text: "SELECT 1", query_timeout: PROBE_LIMIT_MS };
  const probes = [...connections().all].filter((client) => client.isIdle).map((client) => client.query(question).catch(() => undefined));
  void Promise.all(probes).then(() => {
    connections().probing = false;
  });
}
