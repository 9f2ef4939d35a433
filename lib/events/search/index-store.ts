import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { joined, splitSql } from "#lib/db/joined-texts";
import { inTransactionByKey, pool } from "#lib/db/pool";
import { LOG_HORIZON } from "#lib/events/log/horizon-store";
import { lockSearchPlace, moveSearchPlace, recordSearchBegin, type SearchBegin, type SearchPlace } from "./progress-store.ts";

export type FiledEvent = { workspaceId: WorkspaceId; receivedAt: Date; seq: number; terms: string[] };

export type UnfiledEvent = Omit<FiledEvent, "terms"> & { sourceId: string; eventId: string; type: string };

type TermsOf = (event: UnfiledEvent, body: Buffer | null) => string[];

export type Prepare = (client: pg.PoolClient, sourceIds: string[]) => Promise<TermsOf>;

export const UNFILED_COLUMNS = "n.workspace_id, n.received_at, n.seq, n.source_id, n.event_id, n.type, n.bytes";

/** Leaves the events of `next n` that are not filed. OFFSET 0 makes the planner look each up instead of reading all that is filed. */
export const UNFILED = `next n LEFT JOIN LATERAL (
    SELECT true AS filed FROM event_search f WHERE f.workspace_id = n.workspace_id AND f.received_at = n.received_at AND f.seq = n.seq
    OFFSET 0) f ON true WHERE f.filed IS NULL`;

export type UnfiledRow = {
  seq: number;
  workspace_id: WorkspaceId;
  received_at: Date;
  source_id: string;
  event_id: string;
  type: string;
  bytes: number;
};

type Row = { last_xid: string; last_seq: number; looked: number } & (
  | (UnfiledRow & { xid: string })
  | { seq: null } // when everything is filed
);

/** The next $3 events of all workspaces after the place $1, $2 and before $4, $5: how far they go, and those that are not filed. */
const NEXT = `WITH next AS MATERIALIZED (
    SELECT e.* FROM log_places w CROSS JOIN LATERAL (
      SELECT e.workspace_id, e.received_at, e.seq, e.source_id, e.event_id, e.type, octet_length(e.body) AS bytes, e.xid FROM events e
      WHERE e.workspace_id = w.workspace_id AND (e.xid, e.seq) > ($1::text::xid8, $2::bigint) AND e.xid < ${LOG_HORIZON}
        AND (e.xid, e.seq) < ($4::text::xid8, $5::bigint)
      ORDER BY e.xid, e.seq LIMIT $3) e
    ORDER BY e.xid, e.seq LIMIT $3)
  SELECT l.*, u.* FROM (SELECT xid::text AS last_xid, seq AS last_seq, count(*) OVER () AS looked FROM next ORDER BY next.xid DESC, seq DESC LIMIT 1) l
  LEFT JOIN (SELECT ${UNFILED_COLUMNS}, n.xid FROM ${UNFILED}) u ON true
  ORDER BY u.xid, u.seq`;

const BODIES = `SELECT e.seq, e.body FROM unnest($1::timestamptz[], $2::bigint[]) AS u(received_at, seq) JOIN events e USING (received_at, seq)`;

/** New terms are sorted into the index 16 MB (15,000 events) at a time: with 4 MB an event costs 0.6 kB more WAL. */
const GATHERING = "SELECT set_config('work_mem', '64MB', true), set_config('gin_pending_list_limit', '16MB', true)";

/** Bytes of bodies in a batch: their terms are made in one go, in some 0.1 ms a KB, and nothing else of the process runs meanwhile. */
const MAX_BYTES = 4 * 1_048_576;

/** After this number of failed tries an event is filed without its payload. */
const MAX_TRIES = 4;

/** `more`: others may wait. `unread`: ID of an event that could not be read. */
export type Filing = { filed: number; more: boolean; unread: string | null };

const NOTHING: Filing = { filed: 0, more: false, unread: null };

/** Files the next events and moves the place in one transaction, one process at a time. After a failure events go one at a time. */
export function fileNextEvents(
  limit: number,
  findEnd: ((client: pg.PoolClient) => Promise<SearchPlace | null>) | null,
  prepare: Prepare,
): Promise<Filing> {
  return inTransactionByKey(pool("worker"), async (client) => {
    const place = await lockSearchPlace(client);
    if (!place) return NOTHING;
    const end = (await findEnd?.(client)) ?? END_OF_LOG;
    // Planned each time: a plan that was made while a crash had emptied the table would read all of it for each event.
    const { rows } = await client.query<Row>(NEXT, [place.xid, place.seq, limit, end.xid, end.seq]);
    const [first] = rows;
    if (!first) return NOTHING;
    const unfiled = rows.flatMap((row) => (row.seq === null ? [] : [row]));
    const { batch, unread } = await fileUnfiled(client, unfiled, () => recordSearchBegin("begun", place, limit), prepare);
    const last = batch.length < unfiled.length ? batch.at(-1) : undefined;
    await moveSearchPlace(client, last ?? { xid: first.last_xid, seq: first.last_seq });
    return { filed: batch.length, more: last !== undefined || first.looked === limit, unread };
  });
}

/** Files the first events that 4 MB of bodies hold, one where filing failed before. `begin` records that it begins. */
export async function fileUnfiled<R extends UnfiledRow>(
  client: pg.PoolClient,
  unfiled: R[],
  begin: () => Promise<SearchBegin>,
  prepare: Prepare,
): Promise<{ batch: R[]; unread: string | null }> {
  if (unfiled.length === 0) return { batch: [], unread: null };
  const { tries, alone } = await begin();
  const batch = alone ? unfiled.slice(0, 1) : firstWithinBytes(unfiled);
  const readable = !alone || tries <= MAX_TRIES;
  await fileEvents(client, await readTerms(client, batch.map(eventOf), readable, prepare));
  return { batch, unread: readable ? null : (batch[0]?.event_id ?? null) };
}

const END_OF_LOG = { xid: "18446744073709551615", seq: 0 };

function firstWithinBytes<R extends UnfiledRow>(rows: R[]): R[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return bytes > MAX_BYTES && index > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** An event that has left the log meanwhile is not filed. */
async function readTerms(client: pg.PoolClient, events: UnfiledEvent[], readable: boolean, prepare: Prepare): Promise<FiledEvent[]> {
  const termsOf = await prepare(client, [...new Set(events.map(({ sourceId }) => sourceId))]);
  if (!readable) return events.map((event) => ({ ...event, terms: termsOf(event, null) }));
  const { rows } = await client.query<{ seq: number; body: Buffer }>({
    name: "search-bodies",
    text: BODIES,
    values: [events.map(({ receivedAt }) => receivedAt.toISOString()), events.map(({ seq }) => seq)],
  });
  const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
  return events.flatMap((event) => {
    const body = bodies.get(event.seq);
    return body ? [{ ...event, terms: termsOf(event, body) }] : [];
  });
}

const onOneLine = (term: string) => (term.includes("\n") ? term.replaceAll("\n", " ") : term);

/** Files events in the transaction in hand; filed ones stay. All in one order, so that two processes can't deadlock. */
export async function fileEvents(client: pg.PoolClient, events: FiledEvent[]): Promise<void> {
  const inOrder = events.toSorted((a, b) => a.seq - b.seq);
  await client.query(GATHERING);
  await client.query({
    name: "search-file",
    text: `INSERT INTO event_search (workspace_id, received_at, seq, terms)
      SELECT w, r, s, array_to_tsvector(string_to_array(t, E'\\n'))
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], ${splitSql("$4")}) AS u(w, r, s, t)
      ON CONFLICT DO NOTHING`,
    values: [
      inOrder.map(({ workspaceId }) => workspaceId),
      inOrder.map(({ receivedAt }) => receivedAt.toISOString()),
      inOrder.map(({ seq }) => seq),
      joined(inOrder.map(({ terms }) => terms.map(onOneLine).join("\n"))),
    ],
  });
}

const eventOf = (row: UnfiledRow): UnfiledEvent => ({
  workspaceId: row.workspace_id,
  receivedAt: row.received_at,
  seq: row.seq,
  sourceId: row.source_id,
  eventId: row.event_id,
  type: row.type,
});
