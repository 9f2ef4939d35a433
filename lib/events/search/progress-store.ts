import type pg from "pg";
import { pool } from "#lib/db/pool";
import { LOG_HORIZON } from "#lib/events/log/horizon-store";

export type SearchPlace = { xid: string; seq: number };

/** Locks the place until the transaction ends. Returns null when another process has it, or nothing waits behind it. */
export async function lockSearchPlace(client: pg.PoolClient): Promise<SearchPlace | null> {
  const { rows } = await client.query<SearchPlace & { waits: boolean }>(
    `SELECT p.xid::text AS xid, p.seq, EXISTS (SELECT 1 FROM log_places w CROSS JOIN LATERAL (SELECT 1 FROM events e
       WHERE e.workspace_id = w.workspace_id AND (e.xid, e.seq) > (p.xid, p.seq) AND e.xid < ${LOG_HORIZON}
       ORDER BY e.xid, e.seq LIMIT 1) e) AS waits
     FROM event_search_progress p WHERE p.id = 'events' FOR UPDATE SKIP LOCKED`,
  );
  return rows[0]?.waits ? rows[0] : null;
}

export async function moveSearchPlace(client: pg.PoolClient, { xid, seq }: SearchPlace): Promise<void> {
  await client.query("UPDATE event_search_progress SET xid = $1::text::xid8, seq = $2, read_at = now() WHERE id = 'events'", [xid, seq]);
}

export type SearchBegin = { tries: number; alone: boolean };

/** Records on a connection of its own that filing begins, to outlive the process: after a try that never ended, events go one at a time. */
export async function recordSearchBegin(what: "begun" | "refiling", { xid, seq }: SearchPlace, batch: number): Promise<SearchBegin> {
  const { rows } = await pool("claims").query<SearchBegin>({
    name: "search-begin",
    text: `UPDATE event_search_progress SET xid = $1::text::xid8, seq = $2, read_at = now(),
        tries = CASE WHEN (xid, seq) = ($1::text::xid8, $2::bigint) THEN tries + 1 ELSE 1 END,
        alone_left = CASE WHEN (xid, seq) = ($1::text::xid8, $2::bigint) AND tries > 0 THEN $3 ELSE greatest(alone_left - 1, 0) END
      WHERE id = $4 RETURNING tries, alone_left > 0 AS alone`,
    values: [xid, seq, batch, what],
  });
  return rows[0] ?? { tries: 1, alone: false };
}
