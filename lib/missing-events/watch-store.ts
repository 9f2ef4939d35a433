import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { arraysOf } from "#lib/db/columns";
import { queryRow } from "#lib/db/rows";
import type { Cadence } from "./cadence.ts";

/** A moment by which all received events are applied, except in the workspaces in which one waited. */
export type Picture = {
  /** ISO 8601. */
  at: string;
  /** Everything committed by then has a lower position. */
  position: string;
  /** When the oldest waiting event was received, by workspace: ISO 8601. */
  waiting: Record<string, string>;
};

export type WatchPlace = {
  /** The last changed view: its position, then `key` is its ID, kind and workspace. */
  xid: string;
  key: string[];
  /** The oldest picture that the watch has not caught up with; null when there is none. */
  picture: Picture | null;
};

/** Locks the place, as one worker watches at a time. Returns null while another does. */
export async function claimWatch(client: pg.ClientBase): Promise<WatchPlace | null> {
  await client.query(
    `INSERT INTO missing_event_watch (id, updated_at, view_id, arrivals_until, changed_xid, changed_key)
     VALUES (1, 'epoch', '', now() - interval '1 hour', '0', '{}') ON CONFLICT DO NOTHING`,
  );
  return queryRow<WatchPlace>(
    client,
    `SELECT coalesce(changed_xid, '0')::text AS xid, coalesce(changed_key, '{}') AS key, picture
     FROM missing_event_watch WHERE id = 1 FOR UPDATE SKIP LOCKED`,
  );
}

export async function saveWatch(client: pg.ClientBase, { xid, key, picture }: WatchPlace): Promise<void> {
  await client.query("UPDATE missing_event_watch SET changed_xid = $1::xid8, changed_key = $2, picture = $3 WHERE id = 1", [
    xid,
    key,
    picture && JSON.stringify(picture),
  ]);
}

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
    arraysOf(last, "workspaceId", "xid", "seq"),
  );
}

/** `receives`: false for an archived or paused source. */
export type SourceCadence = Cadence & { sourceId: SourceId; workspaceId: WorkspaceId; receives: boolean };

const MAX_CADENCES = 10_000;

export async function listCadences(client: pg.ClientBase): Promise<SourceCadence[]> {
  const { rows } = await client.query<
    Omit<SourceCadence, "lastReceivedAt"> & { receivedAt: Date; times: (string | number)[]; arrivals: (string | number)[] }
  >(
    `SELECT c.source_id AS "sourceId", c.workspace_id AS "workspaceId", c.last_event_id AS "lastEventId",
            c.last_received_at AS "receivedAt", c.times, c.arrivals, c.hours, s.archived_at IS NULL AND s.paused_at IS NULL AS receives
       FROM source_cadences c JOIN sources s ON s.id = c.source_id LIMIT ${MAX_CADENCES}`,
  );
  return rows.map(({ receivedAt, times, arrivals, ...row }) => ({
    ...row,
    times: times.map(Number),
    arrivals: arrivals.map(Number),
    lastReceivedAt: receivedAt.getTime(),
  }));
}

export async function saveCadences(client: pg.ClientBase, paces: SourceCadence[]): Promise<void> {
  for (const { sourceId, workspaceId, lastEventId, lastReceivedAt, times, arrivals, hours } of paces) {
    await client.query(
      `INSERT INTO source_cadences (source_id, workspace_id, last_event_id, last_received_at, times, arrivals, hours) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (source_id) DO UPDATE SET last_event_id = EXCLUDED.last_event_id, last_received_at = EXCLUDED.last_received_at,
         times = EXCLUDED.times, arrivals = EXCLUDED.arrivals, hours = EXCLUDED.hours`,
      [sourceId, workspaceId, lastEventId, new Date(lastReceivedAt), times, arrivals, hours],
    );
  }
}
