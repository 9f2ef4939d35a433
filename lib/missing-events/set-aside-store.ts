import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEventRestorationFilter, MissingEventRule, OpenMissingEventFilter } from "#lib/contracts/missing-events";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { resourceCondition, sourceCondition } from "./missing-event-store.ts";

const idsCondition = (ids: string[], bind: (value: unknown) => string) => `id = ANY(${bind(ids)}::text[])`;

const OPEN: FilterConditions<OpenMissingEventFilter> = {
  ids: idsCondition,
  rule: (rule, bind) => `rule = ${bind(rule)}`,
  source: sourceCondition,
  resource: resourceCondition,
};

const RESTORED: FilterConditions<MissingEventRestorationFilter> = {
  ids: idsCondition,
  dismissal: (id, bind) => `dismissal_id = ${bind(id)}`,
};

export type RuleCount = { rule: MissingEventRule; count: number; firstAt: Date; lastAt: Date };

export async function countByRule(workspaceId: WorkspaceId): Promise<RuleCount[]> {
  const { rows } = await pool().query<RuleCount>(
    `SELECT rule, count(*) AS count, min(since) AS "firstAt", max(since) AS "lastAt"
       FROM missing_events WHERE workspace_id = $1 AND state = 'open' GROUP BY rule ORDER BY count(*) DESC, rule`,
    [workspaceId],
  );
  return rows;
}

type SetAside = { dismissal: string; by: string; now: Date };

export async function markDismissed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: OpenMissingEventFilter,
  { dismissal, by, now }: SetAside,
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, dismissal, by, now);
  const where = ["workspace_id = $1", "state = 'open'", ...conditionsOf(OPEN, filter, bind)];
  const { rowCount } = await client.query(
    `UPDATE missing_events SET state = 'dismissed', dismissal_id = $2, dismissed_by = $3, dismissed_at = $4 WHERE ${where.join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}

/** @param until null: until they happen again */
export async function markSnoozed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: OpenMissingEventFilter,
  { dismissal, by, until }: Omit<SetAside, "now"> & { until: Date | null },
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, dismissal, by, until);
  const where = ["workspace_id = $1", "state = 'open'", ...conditionsOf(OPEN, filter, bind)];
  const { rowCount } = await client.query(
    `UPDATE missing_events SET state = 'snoozed', dismissal_id = $2, snoozed_by = $3, snoozed_until = $4::timestamptz,
            due_at = coalesce($4::timestamptz, 'infinity') WHERE ${where.join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}

export async function markRestored(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: MissingEventRestorationFilter,
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["workspace_id = $1", "state IN ('dismissed', 'snoozed')", ...conditionsOf(RESTORED, filter, bind)];
  const { rowCount } = await client.query(
    `UPDATE missing_events SET state = 'open', dismissal_id = NULL, dismissed_by = NULL, dismissed_at = NULL, snoozed_by = NULL, snoozed_until = NULL
      WHERE ${where.join(" AND ")}`,
    values,
  );
  return rowCount ?? 0;
}
