import path from "node:path";
import { env } from "#lib/config/env";
import { ROOT } from "#lib/config/process-environment";
import { isServerRunning } from "#lib/db/embedded/postmaster";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { findServerVersion, OLDEST_POSTGRES } from "#lib/db/server-version";
import { logger } from "#lib/observability/logger";
import { postgresDirectory } from "./data-files.ts";

const WATCH_MS = 2000;

/**
 * Starts the built-in PostgreSQL unless DATABASE_URL names another.
 *
 * @returns null when the database is not ours
 * @throws Error in words when it does not start, does not answer, or is too old
 */
export async function startDatabase(): Promise<EmbeddedPostgres | null> {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) return startEmbeddedPostgres({ directory: postgresDirectory() });
  const version = await findServerVersion(DATABASE_URL).catch((cause: Error) => {
    throw new Error(`The database of DATABASE_URL does not answer: ${cause.message}`, { cause });
  });
  if (version < OLDEST_POSTGRES) throw new Error(`DATABASE_URL leads to PostgreSQL ${version}; ${OLDEST_POSTGRES} or newer is needed.`);
  return null;
}

/** What was done, in words for the person at the terminal. */
export function describeDatabase(database: EmbeddedPostgres | null): string {
  if (!database) return "the one of DATABASE_URL";
  const verb = { created: "created", started: "started", attached: "still ran, taken over" }[database.outcome];
  const short = path.relative(ROOT, database.directory);
  return `PostgreSQL ${verb} in ${short.startsWith("..") ? database.directory : short} on port ${database.port}`;
}

/**
 * Starts the server again on the same port whenever it is gone (killed for
 * want of memory, say). Pools find it again by themselves.
 *
 * @returns a function that ends the watch
 */
export function watchDatabase(database: EmbeddedPostgres): () => void {
  let busy = false;
  const look = async () => {
    if (busy || isServerRunning(database.directory)) return;
    busy = true;
    try {
      logger().warn("the built-in PostgreSQL is gone; starting it again");
      await startEmbeddedPostgres({ directory: postgresDirectory(), port: database.port });
    } catch (error) {
      logger().error({ reason: (error as Error).message }, "the built-in PostgreSQL does not start");
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void look(), WATCH_MS);
  return () => clearInterval(timer);
}
