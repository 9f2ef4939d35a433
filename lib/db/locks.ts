import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { codeOf } from "#lib/observability/logger";

/** Lock not available, deadlock, serialization failure. */
const CONFLICTS = new Set(["55P03", "40P01", "40001"]);

/** True if other transactions were in the way, which says nothing of the work itself. */
export const isLockConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error));

/** Bounds each wait for a lock in this transaction, apart from the time that a statement may take. */
export async function boundLockWaits(client: pg.ClientBase, ms: number): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${Math.round(ms)}`);
}

/** True if a statement waited for a lock as long as `lock_timeout` allows. */
export const isLockBusy = (error: unknown): boolean => codeOf(error) === "55P03";

const TRIES = 10;
const PAUSE_MS = 500;

/** Retries work that found a lock taken. It sets a short `lock_timeout` itself, so that the queue behind it moves on between tries. */
export async function retryWhileBusy<T>(work: () => Promise<T>, { tries = TRIES, pauseMs = PAUSE_MS } = {}): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockBusy(error) || left <= 0) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Serializes counting and adding: two transactions at once would pass a workspace's limit. */
export async function lockCount(client: pg.PoolClient, what: string, workspaceId: WorkspaceId): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))", [what, workspaceId]);
}
