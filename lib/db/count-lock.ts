import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

/** Lets one transaction at a time count what a workspace has of something, and add to it: two at once would pass its limit. */
export async function lockCount(client: pg.PoolClient, what: string, workspaceId: WorkspaceId): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))", [what, workspaceId]);
}
