import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** Digest of everything that identifies a workspace's sources: secrets and whether they verify, scheme, reading, mapping. */
export type KnownVersion = { workspaceId: WorkspaceId; sourceIds: SourceId[]; version: string };

/** Tells secrets apart by their IDs: none is opened. */
export async function listKnownVersions(): Promise<KnownVersion[]> {
  const { rows } = await pool("worker").query<KnownVersion>(
    `SELECT s.workspace_id AS "workspaceId", array_agg(s.id ORDER BY s.id) AS "sourceIds",
            md5(string_agg(concat_ws(' ', s.id, s.template, s.scheme, s.reading, s.records, m.mapping, x.secrets), ';' ORDER BY s.id)) AS version
       FROM sources s LEFT JOIN field_mappings m ON m.source_id = s.id
       LEFT JOIN LATERAL (SELECT string_agg(x.id || ' ' || (x.valid_until IS NULL OR x.valid_until > now()), ',' ORDER BY x.id) AS secrets
                            FROM source_secrets x WHERE x.source_id = s.id) x ON true
      GROUP BY s.workspace_id`,
  );
  return rows;
}
