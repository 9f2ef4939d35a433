import type pg from "pg";
import { codeOf } from "#lib/observability/error-code";

/** Lock not available, deadlock, serialization failure. */
const CONFLICTS = new Set(["55P03", "40P01", "40001"]);

/** True if other transactions were in the way, which says nothing of the work itself. */
export const isLockConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Bounds each wait for a lock in this transaction, apart from the time that a statement may take. */
export async function boundLockWaits(client: pg.ClientBase, ms: number): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${Math.round(ms)}`);
}
