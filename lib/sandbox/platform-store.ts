import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** Each workspace has its own simulated platform, unknown to the others. */

export async function savePlatform(workspaceId: string, source: string): Promise<void> {
  await pool("worker").query(
    `INSERT INTO sandbox_platforms (workspace_id, source) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET source = excluded.source WHERE sandbox_platforms.source <> excluded.source`,
    [workspaceId, source],
  );
}

export async function findPlatformSource(workspaceId: string): Promise<string | null> {
  return (await prisma().sandboxPlatform.findFirst({ where: { workspaceId }, select: { source: true } }))?.source ?? null;
}

/** Adopts rows without a workspace: of the previous release, or of grants requested without one. Runs each second: one statement. */
export async function adoptOwnerless(workspaceId: string): Promise<void> {
  await pool("worker").query(
    `WITH deliveries AS (UPDATE sandbox_deliveries SET workspace_id = $1 WHERE workspace_id IS NULL),
       codes AS (UPDATE sandbox_codes SET workspace_id = $1 WHERE workspace_id IS NULL)
     UPDATE sandbox_grants SET workspace_id = $1 WHERE workspace_id IS NULL`,
    [workspaceId],
  );
}
