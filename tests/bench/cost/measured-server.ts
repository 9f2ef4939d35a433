import path from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { startPlainPostgres } from "./plain-postgres.ts";

/** Cost of one statement to the server: all its calls together. `pages`: those that it touched, in memory or on disk. */
export type StatementCost = { id: string; text: string; calls: number; ms: number; walBytes: number; pages: number };

/** What the records of one kind for one table or index took of the log. `pages`: the whole pages among it. */
export type LogCost = { relation: string; record: string; records: number; bytes: number; pages: number };

/** Resources that the server has used so far. */
export type Spent = { walBytes: number; diskBytes: number };

type ServerOptions = { programs?: string | undefined; settings?: Record<string, string> };

/** A durable PostgreSQL of its own that counts by statement, and a connection to look at it. */
export class MeasuredServer {
  readonly url: string;
  readonly pid: number;
  private readonly look: pg.Client;
  private readonly end: () => Promise<void>;

  private constructor(url: string, pid: number, look: pg.Client, end: () => Promise<void>) {
    this.url = url;
    this.pid = pid;
    this.look = look;
    this.end = end;
  }

  /** @param programs folder of the PostgreSQL to measure, with default settings; the one that comes with Signalbox without it */
  static async start(folder: string, { programs, settings = {} }: ServerOptions = {}): Promise<MeasuredServer> {
    const counting = { shared_preload_libraries: "pg_stat_statements", ...settings };
    const directory = path.join(folder, "postgres");
    const server = programs ? await startPlainPostgres(programs, directory, counting) : await startEmbedded(directory, counting);
    const look = new pg.Client({ connectionString: server.url, application_name: "bench" });
    await look.connect();
    await look.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    const { rows } = await look.query<{ pid: string }>("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid");
    return new MeasuredServer(server.url, Number(rows[0]?.pid), look, async () => {
      await look.end();
      await server.stop();
    });
  }

  stop(): Promise<void> {
    return this.end();
  }

  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.look.query<Row>(text, values).then(({ rows }) => rows);
  }

  /** Begins to count anew; a checkpoint before it, so that every run pays for the same whole pages. */
  async reset(): Promise<void> {
    await this.query("CHECKPOINT");
    await this.query("SELECT pg_stat_statements_reset()");
  }

  async spent(): Promise<Spent> {
    const [row] = await this.query<{ wal: string; disk: string }>(
      "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS disk",
    );
    return { walBytes: Number(row?.wal), diskBytes: Number(row?.disk) };
  }

  /** The kinds of records that took most of the log from one place to another (both in bytes, as `spent` tells them). */
  async logRecords(from: number, to: number, most: number): Promise<LogCost[]> {
    await this.query("CREATE EXTENSION IF NOT EXISTS pg_walinspect");
    return this.query<LogCost>(
      `SELECT coalesce((SELECT relname FROM pg_class WHERE relfilenode = b.relfilenode), '?') AS relation,
         resource_manager || ' ' || record_type AS record, count(*)::float8 AS records,
         coalesce(sum(record_length) FILTER (WHERE block_id = 0), 0)::float8 AS bytes, coalesce(sum(block_fpi_length), 0)::float8 AS pages
       FROM pg_get_wal_block_info('0/0'::pg_lsn + $1::numeric, '0/0'::pg_lsn + $2::numeric) b
       GROUP BY 1, 2 ORDER BY bytes DESC LIMIT $3`,
      [from, to, most],
    );
  }

  /** The dearest statements, without those of the bench itself. */
  async statements(most: number): Promise<StatementCost[]> {
    const rows = await this.query<{ id: string; query: string; calls: string; ms: number; wal: string; pages: string }>(
      `SELECT queryid::text AS id, query, calls, total_exec_time AS ms, wal_bytes AS wal, shared_blks_hit + shared_blks_read AS pages FROM pg_stat_statements
       WHERE query NOT LIKE '%pg_stat_statements%' AND query !~* '^(checkpoint|vacuum)' ORDER BY total_exec_time DESC LIMIT $1`,
      [most],
    );
    return rows.map(({ id, query, calls, ms, wal, pages }) => ({
      id,
      text: query.replaceAll(/\s+/g, " "),
      calls: Number(calls),
      ms,
      walBytes: Number(wal),
      pages: Number(pages),
    }));
  }
}

/** Started twice: what loads an extension needs a start of its own. */
async function startEmbedded(directory: string, settings: Record<string, string>) {
  const options = { directory, port: 0, durable: true };
  const first = await startEmbeddedPostgres(options);
  const setting = new pg.Client({ connectionString: first.url });
  await setting.connect();
  for (const [name, value] of Object.entries(settings)) await setting.query(`ALTER SYSTEM SET ${name} = ${pg.escapeLiteral(value)}`);
  await setting.end();
  await first.stop();
  return startEmbeddedPostgres(options);
}
