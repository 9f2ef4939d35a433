import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { DismissalFilter, RestorationFilter } from "#lib/contracts/quarantine";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/filter-conditions";
import { IDS_CONDITION, QUARANTINE_CAUSE_CONDITIONS } from "./quarantine-store.ts";

const DISMISSED: FilterConditions<DismissalFilter> = { ...QUARANTINE_CAUSE_CONDITIONS, ids: IDS_CONDITION };

const RESTORED: FilterConditions<RestorationFilter> = { ids: IDS_CONDITION, dismissal: (id, bind) => `q.dismissal_id = ${bind(id)}` };

/** @param dismissal ID that undoes all of it at once */
export async function markDismissed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: DismissalFilter,
  { dismissal, by }: { dismissal: string; by: string },
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, by, dismissal);
  const where = ["q.released_at IS NULL", "q.dismissed_at IS NULL", ...conditionsOf(DISMISSED, filter, bind)];
  const { rowCount } = await client.query(
    `UPDATE quarantine q SET dismissed_at = now(), dismissed_by = $2, dismissal_id = $3 FROM sources s
      WHERE q.workspace_id = $1 AND s.id = q.source_id AND ${where.join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}

/** Undoes a dismissal, or that of single requests. Requests released meanwhile stay released. */
export async function markRestored(client: pg.PoolClient, workspaceId: WorkspaceId, filter: RestorationFilter): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["q.released_at IS NULL", "q.dismissed_at IS NOT NULL", ...conditionsOf(RESTORED, filter, bind)];
  const { rowCount } = await client.query(
    `UPDATE quarantine q SET dismissed_at = NULL, dismissed_by = NULL, dismissal_id = NULL WHERE q.workspace_id = $1 AND ${where.join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}
