import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";

/** `created` is the platform's, in Unix seconds. */
export type RecentArrival = { workspaceId: WorkspaceId; sourceId: SourceId; eventId: string; created: number; receivedAt: Date };

type Row = RecentArrival & { xid: string; seq: number };

/** Returns the next events of each workspace and notes the place. By position: by time, late commits would be passed over. */
export async function takeArrivals(
  client: pg.ClientBase,
  max: number,
  most: number,
): Promise<{ arrivals: RecentArrival[]; more: boolean }> {
  const { rows } = await client.query<Row>(
    `SELECT w.id AS "workspaceId", e."sourceId", e."eventId", e.created, e."receivedAt", e.xid::text AS xid, e.seq
     FROM workspaces w LEFT JOIN arrival_places p ON p.workspace_id = w.id CROSS JOIN LATERAL (
       SELECT next.*, row_number() OVER (ORDER BY xid, seq) AS n FROM (
         SELECT source_id AS "sourceId", event_id AS "eventId", created, received_at AS "receivedAt", xid, seq FROM events
         WHERE workspace_id = w.id AND (xid, seq) > (coalesce(p.xid, '0'), coalesce(p.seq, 0)) AND xid < (SELECT log_horizon())
         ORDER BY xid, seq LIMIT $1) next) e
     ORDER BY e.n, w.id LIMIT $2`,
    [max, most],
  );
  const last = new Map(rows.map((row) => [row.workspaceId, row]));
  const count = new Map<string, number>();
  for (const { workspaceId } of rows) count.set(workspaceId, (count.get(workspaceId) ?? 0) + 1);
  await savePlaces(client, [...last.values()]);
  return { arrivals: rows, more: rows.length === most || [...count.values()].some((n) => n === max) };
}

async function savePlaces(client: pg.ClientBase, last: Row[]): Promise<void> {
  if (last.length === 0) return;
  await client.query(
    `INSERT INTO arrival_places (workspace_id, xid, seq) SELECT * FROM unnest($1::text[], $2::xid8[], $3::bigint[])
     ON CONFLICT (workspace_id) DO UPDATE SET xid = EXCLUDED.xid, seq = EXCLUDED.seq`,
    [last.map(({ workspaceId }) => workspaceId), last.map(({ xid }) => xid), last.map(({ seq }) => seq)],
  );
}
