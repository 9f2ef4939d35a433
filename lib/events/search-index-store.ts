import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import { inTransaction, pool } from "#lib/db/pool";

/** An event as the search reads it. */
export type UnreadEvent = { workspaceId: WorkspaceId; receivedAt: Date; seq: number; eventId: string; type: string; body: Buffer };

type Row = { workspace_id: WorkspaceId; received_at: Date; seq: number; event_id: string; type: string; body: Buffer; xid: string };

const READ = `SELECT e.workspace_id, e.received_at, e.seq, e.event_id, e.type, e.body, e.xid::text AS xid
  FROM event_search_progress p, LATERAL (SELECT * FROM events e
    WHERE (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY e.xid, e.seq LIMIT $1) e
  WHERE p.id = 'events' ORDER BY e.xid, e.seq`;

/**
 * Files the next events of the log for the search: reads on from where it stopped, in the feed's commit-safe
 * order, and moves that place in the transaction that files. One process at a time; another passes.
 *
 * @param termsOf what an event is found by
 * @returns how many were filed
 */
export function fileNextEvents(limit: number, termsOf: (event: UnreadEvent) => string[]): Promise<number> {
  return inTransaction(pool("worker"), async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM event_search_progress WHERE id = 'events' FOR UPDATE SKIP LOCKED");
    if (rowCount === 0) return 0;
    const { rows } = await client.query<Row>({ name: "search-read", text: READ, values: [limit] });
    const last = rows.at(-1);
    if (!last) return 0;
    await file(client, rows.map(eventOf), termsOf);
    await client.query("UPDATE event_search_progress SET xid = $1::text::xid8, seq = $2, read_at = now() WHERE id = 'events'", [
      last.xid,
      last.seq,
    ]);
    return rows.length;
  });
}

async function file(client: pg.PoolClient, events: UnreadEvent[], termsOf: (event: UnreadEvent) => string[]): Promise<void> {
  await client.query({
    name: "search-file",
    text: `INSERT INTO event_search (workspace_id, received_at, seq, terms)
      SELECT w, r, s, array_to_tsvector(string_to_array(t, E'\\n')) FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[]) AS u(w, r, s, t)
      ON CONFLICT DO NOTHING`,
    values: [
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ receivedAt }) => receivedAt.toISOString()),
      events.map(({ seq }) => seq),
      events.map((event) =>
        termsOf(event)
          .map((term) => term.replaceAll("\n", " "))
          .join("\n"),
      ),
    ],
  });
}

const eventOf = (row: Row): UnreadEvent => ({
  workspaceId: row.workspace_id,
  receivedAt: row.received_at,
  seq: row.seq,
  eventId: row.event_id,
  type: row.type,
  body: row.body,
});
