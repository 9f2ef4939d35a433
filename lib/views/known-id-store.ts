import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type ViewKind, viewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";

export async function findKnownIds(workspaceId: WorkspaceId, kind: ViewKind, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT v.id FROM views v JOIN unnest($3::text[]) AS u(i)
       ON v.id = u.i AND v.kind IS NOT DISTINCT FROM $2 AND v.workspace_id IS NOT DISTINCT FROM $1`,
    [workspaceId, kind, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** IDs of each kind from which the form of its IDs is derived. */
const SAMPLED = 50;

export async function sampleIds(workspaceId: WorkspaceId): Promise<Map<ViewKind, string[]>> {
  const { rows } = await pool().query<{ kind: ViewKind; ids: string[] }>(
    `SELECT k.kind, ARRAY(SELECT v.id FROM views v WHERE v.workspace_id = $1 AND v.kind = k.kind ORDER BY v.last_created DESC, v.id LIMIT ${SAMPLED}) AS ids
     FROM unnest($2::text[]) AS k(kind)`,
    [workspaceId, viewKind.options],
  );
  return new Map(rows.map(({ kind, ids }) => [kind, ids]));
}
