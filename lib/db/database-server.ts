import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvError } from "#lib/config/env";
import type { Clock } from "#lib/time/clock";
import { connectionOptions, DatabaseClient } from "./client.ts";
import { wantedConnections } from "./pool-sizes.ts";

/** Older servers lack what the log is built on. */
export const OLDEST_POSTGRES = 15;

const LIMITS = { name: "signalbox-start", statementMs: 5000, connectMs: 5000 };

/** @throws Error in words if it doesn't answer within 5 s, or the connection is not as the address asks */
export async function findServerVersion(databaseUrl: string): Promise<number> {
  try {
    return await ask(databaseUrl, async (client) => {
      const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
      return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
    });
  } catch (cause) {
    throw new Error(connectFailureWords(cause as NodeJS.ErrnoException), { cause });
  }
}

/** Codes of OpenSSL's verification and of Node's check of the name. */
const UNVERIFIED = /CERT|UNABLE_TO_|SELF_SIGNED/;

function connectFailureWords({ code = "", message, path }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" && path) return `The file ${path} that DATABASE_URL names (sslrootcert, sslcert or sslkey) is missing.`;
  if (UNVERIFIED.test(code))
    return `The certificate of the database server is not accepted: ${message}. In DATABASE_URL, name the file of the authority that signed it (sslrootcert=/path/to/ca.pem). Or encrypt without checking who answers: sslmode=no-verify.`;
  if (/does not support SSL/.test(message))
    return "The database server does not encrypt connections, and sslmode in DATABASE_URL asks for it. Turn TLS on there. On a network that nobody else reads: sslmode=disable.";
  if (code === "28000" && /no encryption|SSL off/.test(message))
    return "The database server takes encrypted connections only. Add sslmode=require to DATABASE_URL.";
  return `The database at DATABASE_URL does not respond: ${message}`;
}

/** Checks that a connection keeps its session, which a pooler in transaction or statement mode doesn't. @throws Error in words */
export function requireSessions(databaseUrl: string): Promise<void> {
  return ask(databaseUrl, (first) =>
    ask(databaseUrl, async (second) => {
      await first.query("SET extra_float_digits = 2");
      // Takes the server connection that the first has just used, if they share a pool.
      await second.query("BEGIN; SELECT 1").catch(whenNoTransaction);
      const kept = await hasKept(first).catch(whenTooLate);
      await second.query("ROLLBACK");
      if (!kept) throw new Error(poolingWords("transaction"));
    }),
  );
}

/** PgBouncer cuts the connection, with the code of a lost one: the start would wait for it. */
function whenNoTransaction(error: Error): never {
  throw /statement pooling mode/.test(error.message) ? new Error(poolingWords("statement")) : error;
}

/** False on a timeout: a pool of one connection waits for the second. A cut connection says nothing of the mode. */
function whenTooLate(error: Error): false {
  if (/timeout/.test(error.message)) return false;
  throw error;
}

async function hasKept(client: DatabaseClient): Promise<boolean> {
  const { rows } = await client.query<{ kept: boolean }>("SELECT current_setting('extra_float_digits') = '2' AS kept");
  return rows[0]?.kept ?? false;
}

const poolingWords = (mode: "transaction" | "statement") =>
  `DATABASE_URL points to a connection pooler in ${mode} mode. Signalbox needs sessions (LISTEN, settings, prepared statements). Use PostgreSQL's own address, or a pool in session mode (PgBouncer: pool_mode = session) with ${wantedConnections("web")} server connections for each web process and ${wantedConnections("worker")} for each worker. DATABASE_DIRECT_URL does not replace this: few connections use it.`;

const MAX_KEY = 2 ** 47;

/** Checks that DATABASE_DIRECT_URL leads to the database of DATABASE_URL, by a lock that only its own connections see. @throws EnvError */
export async function requireSameDatabase(databaseUrl: string, directUrl: string): Promise<void> {
  if (directUrl === databaseUrl) return;
  const take = async (client: DatabaseClient) => {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [key]);
    return rows[0]?.taken ?? false;
  };
  const key = randomInt(MAX_KEY);
  const isOther = await ask(databaseUrl, async (first) => (await take(first)) && ask(directUrl, take));
  if (isOther) throw new EnvError(OTHER_DATABASE);
}

const OTHER_DATABASE =
  "DATABASE_DIRECT_URL leads to another database than DATABASE_URL: migrations and backups would be another's. Nothing was changed. Name the same database, or leave DATABASE_DIRECT_URL out.";

/** Returns how many ms this clock is ahead of the server's, exact to half of the round trip. */
export function measureClockDifference(databaseUrl: string, { now }: Pick<Clock, "now">): Promise<number> {
  return ask(databaseUrl, async (client) => {
    const before = now();
    const { rows } = await client.query<{ ms: number }>("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms");
    return (before + now()) / 2 - (rows[0]?.ms ?? before);
  });
}

async function ask<T>(databaseUrl: string, question: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LIMITS));
  await client.connect();
  try {
    return await question(client);
  } finally {
    await client.end();
  }
}

const LOOK_LIMITS = { name: "signalbox-stop", statementMs: 5000, connectMs: 5000 };
/** The server takes a moment to notice that a connection of ours was cut. */
const LOOKS = 20;
const LOOK_MS = 100;

/** True if somebody else stays connected for two seconds. */
export async function hasOtherClients(databaseUrl: string): Promise<boolean> {
  const client = new DatabaseClient(connectionOptions(databaseUrl, LOOK_LIMITS));
  await client.connect();
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await sleep(LOOK_MS);
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1",
      );
      if (!rowCount) return false;
    }
    return true;
  } finally {
    await client.end();
  }
}
