import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { bodiesWithinBytes, mayHaveMore } from "#lib/db/within-bytes";
import { LOG_HORIZON } from "#lib/events/log/horizon-store";
import { lockSearchPlace, moveSearchPlace, recordSearchBegin } from "./progress-store.ts";

/** An event as the search reads it. */
export type UnreadEvent = {
  workspaceId: WorkspaceId;
  receivedAt: Date;
  seq: number;
  sourceId: string;
  eventId: string;
  type: string;
  body: Buffer;
};

/** What an event is found by; an empty body is one that is not to be read. */
type TermsOf = (event: UnreadEvent) => string[];

type Row = {
  workspace_id: WorkspaceId;
  received_at: Date;
  seq: number;
  source_id: string;
  event_id: string;
  type: string;
  body: Buffer;
  xid: string;
};

/** The next $3 events of all workspaces after the place $1, $2; without their bodies unless $4. */
const READ = bodiesWithinBytes(
  `SELECT e.workspace_id, e.received_at, e.seq, e.source_id, e.event_id, e.type, CASE WHEN $4 THEN e.body ELSE ''::bytea END AS body, e.xid::text AS xid
   FROM log_places w CROSS JOIN LATERAL (
     SELECT e.* FROM events e WHERE e.workspace_id = w.workspace_id AND (e.xid, e.seq) > ($1::text::xid8, $2::bigint) AND e.xid < ${LOG_HORIZON}
     ORDER BY e.xid, e.seq LIMIT $3) e
   ORDER BY e.xid, e.seq LIMIT $3`,
  "xid::xid8, seq",
);

/** New terms are gathered by the index and sorted into it from time to time, by whoever files then: in one go with enough memory, else in parts. */
const WORKING_MEMORY = "SET LOCAL work_mem = '64MB'";

/** An event that filing failed of so often, alone, is filed without its payload. */
const MOST_TRIES = 4;

/** How many were filed, whether more may wait, and the event that could not be read. */
export type Filed = { filed: number; more: boolean; unread: string | null };

const NONE: Filed = { filed: 0, more: false, unread: null };

/**
 * Files the next events of the log for the search: reads on from where it stopped, in the feed's commit-safe
 * order, and moves that place in the transaction that files. One process at a time; another passes.
 * It reads at most `limit` events and 16 MB of bodies, but one event at least. Events of a batch that failed,
 * or whose process died, are filed one at a time, and the one that fails again and again by its id and type alone.
 *
 * @param prepare asked once a batch, in its transaction, for what reads the batch's events
 */
export function fileNextEvents(limit: number, prepare: (client: pg.PoolClient, sourceIds: string[]) => Promise<TermsOf>): Promise<Filed> {
  return inTransaction(pool("worker"), async (client) => {
    const place = await lockSearchPlace(client);
    if (!place) return NONE;
    const { tries, alone } = await recordSearchBegin(place, limit);
    const most = alone ? 1 : limit;
    const readable = !alone || tries <= MOST_TRIES;
    const values = [place.xid, place.seq, most, readable];
    await client.query(WORKING_MEMORY);
    const { rows } = await client.query<Row & { candidates: number }>({ name: "search-read", text: READ, values });
    const last = rows.at(-1);
    if (!last) return NONE;
    await file(client, rows.map(eventOf), await prepare(client, [...new Set(rows.map(({ source_id }) => source_id))]));
    await moveSearchPlace(client, last);
    return { filed: rows.length, more: mayHaveMore(rows, most), unread: readable ? null : last.event_id };
  });
}

async function file(client: pg.PoolClient, events: UnreadEvent[], termsOf: TermsOf): Promise<void> {
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
  sourceId: row.source_id,
  eventId: row.event_id,
  type: row.type,
  body: row.body,
});
