import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

/** Serializes counting and adding: two transactions at once would pass a workspace's limit. */
export async function lockCount(client: pg.PoolClient, what: string, workspaceId: WorkspaceId): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))", [what, workspaceId]);
}
