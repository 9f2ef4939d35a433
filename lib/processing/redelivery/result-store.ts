import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/paging";
import type { RedeliveryEventFilter } from "#lib/contracts/filters/redelivery-filters";
import type { RedeliveryEvent } from "#lib/contracts/redeliveries";
import { Cursor } from "#lib/db/cursor";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/filter-conditions";
import { pool } from "#lib/db/pool";
import { titleOfType } from "#lib/platform/event-catalogue";

const CURSOR = new Cursor("redelivery_events", { received_at: "time", seq: "integer" });

const CONDITIONS: FilterConditions<RedeliveryEventFilter> = { outcome: (outcome, bind) => `t.outcome = ${bind(outcome)}` };

type Row = { received_at: Date; seq: number; event_id: string; type: string; outcome: RedeliveryEvent["outcome"]; failure: string | null };

/** Lists the events of a re-delivery that the log still has, in the order of receipt. */
export async function listRedeliveryEvents(
  workspaceId: WorkspaceId,
  id: string,
  filter: RedeliveryEventFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<RedeliveryEvent>> {
  const scope = { id, ...filter };
  const after = CURSOR.decode(cursor, scope);
  const { values, bind } = new SqlValues(workspaceId, id);
  const where = conditionsOf(CONDITIONS, filter, bind);
  if (after) where.push(`(t.received_at, t.seq) > (${bind(after.received_at)}, ${bind(after.seq)})`);
  const { rows } = await pool().query<Row>(
    `SELECT * FROM (
       SELECT e.received_at, e.seq, e.event_id, e.type, a.failure_text AS failure,
              coalesce(a.outcome, CASE WHEN EXISTS (SELECT 1 FROM inbox b WHERE b.redelivery_id = i.redelivery_id
                AND b.received_at = i.received_at AND b.seq = i.seq) THEN 'waiting' ELSE 'not_tried' END) AS outcome
         FROM redelivery_items i JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq
         LEFT JOIN LATERAL (SELECT outcome, failure_text FROM attempts a WHERE a.received_at = i.received_at AND a.seq = i.seq
           AND a.redelivery_id = i.redelivery_id AND a.outcome IN ('applied', 'failed') ORDER BY a.id DESC LIMIT 1) a ON true
        WHERE i.workspace_id = $1 AND i.redelivery_id = $2) t
     ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY t.received_at, t.seq LIMIT ${bind(limit + 1)}`,
    values,
  );
  const data = rows.slice(0, limit).map(({ event_id, type, received_at, outcome, failure }) => ({
    eventId: event_id,
    type,
    title: titleOfType(type),
    receivedAt: received_at.toISOString(),
    outcome,
    failure,
  }));
  return { data, nextCursor: CURSOR.next(rows, limit, scope) };
}
