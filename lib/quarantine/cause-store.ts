import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineReason } from "#lib/contracts/quarantine";
import { conditionsOf, SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { QUARANTINE_CAUSE_CONDITIONS } from "./quarantine-store.ts";

/** The requests in quarantine that one source got for one reason. */
export type QuarantineCause = { reason: QuarantineReason; source: string; count: number; senders: number; firstAt: Date; lastAt: Date };

/** Returns what matches of quarantine and is neither released nor dismissed, by reason and source; the largest group first. Every request is counted. */
export async function countByCause(workspaceId: WorkspaceId, filter: QuarantineCauseFilter): Promise<QuarantineCause[]> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = [
    "q.workspace_id = $1",
    "q.released_at IS NULL",
    "q.dismissed_at IS NULL",
    ...conditionsOf(QUARANTINE_CAUSE_CONDITIONS, filter, bind),
  ];
  const { rows } = await pool().query<QuarantineCause>(
    `SELECT q.reason, s.name AS source, count(*) AS count, count(DISTINCT q.remote_address) AS senders,
            min(q.received_at) AS "firstAt", max(q.received_at) AS "lastAt"
       FROM quarantine q JOIN sources s ON s.id = q.source_id
      WHERE ${where.join(" AND ")}
      GROUP BY q.reason, s.name ORDER BY count(*) DESC, q.reason, s.name`,
    values,
  );
  return rows;
}
