import type pg from "pg";
import { codeOf } from "#lib/observability/error-code";

/** PostgreSQL's codes for a transaction that met another's: a lock not to be had in time, a deadlock, a serialization failure. */
const CONFLICTS = new Set(["55P03", "40P01", "40001"]);

/** True for the error of a transaction that others stood in the way of: it says nothing of what the transaction was to do. */
export const isLockConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Bounds how long the transaction in hand waits for each lock, in milliseconds: apart from how long a statement may take. */
export async function boundLockWaits(client: pg.ClientBase, ms: number): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${Math.round(ms)}`);
}
