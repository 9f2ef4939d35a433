import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** The simulated platform of each workspace: nothing of one is known to another. */

/** Says which source a workspace's platform sends to. */
export async function savePlatform(workspaceId: string, source: string): Promise<void> {
  await pool("worker").query(
    `INSERT INTO sandbox_platforms (workspace_id, source) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET source = excluded.source WHERE sandbox_platforms.source <> excluded.source`,
    [workspaceId, source],
  );
}

/** The source that a workspace's platform sends to; null until it is known. */
export async function findPlatformSource(workspaceId: string): Promise<string | null> {
  return (await prisma().sandboxPlatform.findFirst({ where: { workspaceId }, select: { source: true } }))?.source ?? null;
}

/** Takes over what names no workspace: of the release before, and grants that a program asked for without a workspace. Asked each second: one statement. */
export async function adoptOwnerless(workspaceId: string): Promise<void> {
  await pool("worker").query(
    `WITH deliveries AS (UPDATE sandbox_deliveries SET workspace_id = $1 WHERE workspace_id IS NULL),
       codes AS (UPDATE sandbox_codes SET workspace_id = $1 WHERE workspace_id IS NULL)
     UPDATE sandbox_grants SET workspace_id = $1 WHERE workspace_id IS NULL`,
    [workspaceId],
  );
}
