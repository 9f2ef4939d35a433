import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { logger } from "#lib/observability/logger";
import { sourceSecretPlace } from "#lib/vault/source-secret-place";
import { open } from "#lib/vault/vault";

/** A secret that a source of the workspace has or had, opened. `validUntil` in the past: retired, it explains and never verifies. */
export type OpenedSecret = { id: string; sourceId: SourceId; sourceName: string; value: string; validUntil: Date | null };

/** Of each source; beyond these a diagnosis would be slow and its answer of no use. */
const PER_SOURCE = 8;
const MAX_SECRETS = 60;

/** The secrets of all sources of the workspace, retired ones too, the active ones first. For diagnosis alone. */
export async function openKnownSecrets(workspaceId: WorkspaceId): Promise<OpenedSecret[]> {
  const { rows } = await pool().query<Omit<OpenedSecret, "value"> & { sealed: string }>(
    `SELECT id, source_id AS "sourceId", name AS "sourceName", sealed, valid_until AS "validUntil" FROM (
       SELECT x.*, s.name, row_number() OVER (PARTITION BY x.source_id ORDER BY x.valid_until DESC NULLS FIRST, x.created_at DESC) AS n
         FROM source_secrets x JOIN sources s ON s.id = x.source_id
        WHERE x.workspace_id = $1 AND s.workspace_id = $1) ranked
      WHERE n <= $2 ORDER BY n, created_at DESC LIMIT $3`,
    [workspaceId, PER_SOURCE, MAX_SECRETS],
  );
  const opened = await Promise.all(rows.map(({ sealed, ...secret }) => openOne(workspaceId, secret, sealed)));
  return opened.filter((secret) => secret !== null);
}

async function openOne(workspaceId: WorkspaceId, secret: Omit<OpenedSecret, "value">, sealed: string): Promise<OpenedSecret | null> {
  try {
    return { ...secret, value: await open(sealed, sourceSecretPlace(workspaceId, secret.id)) };
  } catch (error) {
    logger().warn({ secretId: secret.id, reason: (error as Error).name }, "a signing secret can't be decrypted for a diagnosis");
    return null;
  }
}
