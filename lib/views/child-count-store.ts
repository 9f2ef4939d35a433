import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";

/**
 * Returns how many views of a kind each parent has, by their state: one query for a whole page of parents.
 *
 * @returns parent's id -> state -> count; a parent without children is missing
 */
export async function countByParent(
  workspaceId: WorkspaceId,
  childKind: ViewKind,
  parents: string[],
): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  if (parents.length === 0) return counts;
  const { rows } = await pool().query<{ parent: string; state: string; n: number }>(
    `SELECT parent, state, count(*) AS n FROM views
     WHERE workspace_id = $1 AND kind = $2 AND parent = ANY($3::text[]) GROUP BY parent, state ORDER BY parent, state`,
    [workspaceId, childKind, parents],
  );
  for (const { parent, state, n } of rows) counts.set(parent, { ...counts.get(parent), [state]: n });
  return counts;
}
