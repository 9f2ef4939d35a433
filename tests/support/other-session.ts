import { onTestFinished } from "vitest";
import { pool } from "#lib/db/pool";
import { untilIs } from "./forwarding/senders.ts";

/** A transaction of another session, which goes on until it is ended, or the test is. */
export type OtherTransaction = {
  query: (sql: string, values?: unknown[]) => Promise<unknown>;
  end: (how?: "COMMIT" | "ROLLBACK") => Promise<void>;
};

/** Begins a transaction of another session with a statement. */
export async function beginWith(sql: string, values: unknown[] = []): Promise<OtherTransaction> {
  const client = await pool().connect();
  let open = true;
  const end = async (how: "COMMIT" | "ROLLBACK" = "COMMIT") => {
    if (!open) return;
    open = false;
    await client.query(how);
    client.release();
  };
  onTestFinished(() => end("ROLLBACK"));
  await client.query("BEGIN");
  await client.query(sql, values);
  return { query: (...given) => client.query(...given), end };
}

/** Returns how many sessions of this file's database wait for a lock with a statement like this. */
export async function countBlocked(statement = "%"): Promise<number> {
  const waits = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1";
  return (await pool().query(waits, [statement])).rowCount ?? 0;
}

/** Waits until one session, or as many as are said, waits for a lock with a statement like this. */
export const untilBlocked = (statement?: string, sessions = 1): Promise<number> => untilIs(() => countBlocked(statement), sessions);
