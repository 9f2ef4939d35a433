import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Attempt } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import type { Claimed } from "./inbox-store.ts";

export type TryResult = { claimed: Claimed; outcome: Attempt["outcome"]; failureCode: string | null; failureText: string | null };

export async function insertAttempts(client: pg.PoolClient, results: TryResult[]): Promise<void> {
  const column = <T>(pick: (result: TryResult) => T) => results.map(pick);
  await client.query({
    name: "attempts-insert",
    text: `INSERT INTO attempts (workspace_id, received_at, seq, redelivery_id, number, at, outcome, failure_code, failure_text)
      SELECT w, r, s, d, n, clock_timestamp(), o, c, t
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[]) AS u(w, r, s, d, n, o, c, t)`,
    values: [
      column(({ claimed }) => claimed.workspaceId),
      column(({ claimed }) => claimed.receivedAt.toISOString()),
      column(({ claimed }) => claimed.seq),
      column(({ claimed }) => claimed.redeliveryId),
      column(({ claimed }) => claimed.attempts + 1),
      column(({ outcome }) => outcome),
      column(({ failureCode }) => failureCode),
      column(({ failureText }) => failureText),
    ],
  });
}

/** First delivery of an event that was applied with its range and has no row: the first range that ends at or behind it tells when. */
const WITH_ITS_RANGE = `SELECT 0::bigint AS id, 1 AS number, g.ended_at AS at, 'applied' AS outcome, NULL AS redelivery_id, NULL AS failure_code, NULL AS failure_text
  FROM events e CROSS JOIN LATERAL (
    SELECT r.* FROM log_ranges r WHERE r.workspace_id = e.workspace_id AND (r.to_xid, r.to_seq) >= (e.xid, e.seq)
    ORDER BY r.to_xid, r.to_seq LIMIT 1) g
  WHERE e.workspace_id = $1 AND e.received_at = $2 AND e.seq = $3 AND (g.from_xid, g.from_seq) < (e.xid, e.seq) AND g.state IN ('applied', 'partly')
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.received_at = $2 AND a.seq = $3 AND a.redelivery_id IS NULL)
    AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = $2 AND i.seq = $3 AND i.redelivery_id IS NULL)`;

export async function listAttempts(workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<Attempt[]> {
  const { rows } = await pool().query<{
    number: number;
    at: Date;
    outcome: Attempt["outcome"];
    redelivery_id: string | null;
    failure_code: string | null;
    failure_text: string | null;
  }>(
    `${WITH_ITS_RANGE} UNION ALL SELECT id, number, at, outcome, redelivery_id, failure_code, failure_text FROM attempts
       WHERE workspace_id = $1 AND received_at = $2 AND seq = $3 ORDER BY id`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows.map((row) => ({
    number: row.number,
    at: row.at.toISOString(),
    outcome: row.outcome,
    redeliveryId: row.redelivery_id,
    failureCode: row.failure_code,
    failureText: row.failure_text,
  }));
}

/** Measures milliseconds from receipt to first application, over the newest 500 events that were applied in the last hour. */
export async function measureLatency(workspaceId: WorkspaceId): Promise<{ p50Ms: number | null; p95Ms: number | null }> {
  const { rows } = await pool().query<{ p50: number | null; p95: number | null }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95
     FROM (SELECT greatest(0, extract(epoch FROM g.ended_at - e.received_at) * 1000)::float8 AS ms FROM (
         SELECT * FROM log_ranges WHERE workspace_id = $1 ORDER BY to_xid DESC, to_seq DESC LIMIT 500) g
       CROSS JOIN LATERAL (SELECT received_at FROM events e WHERE e.workspace_id = $1 AND (e.xid, e.seq) > (g.from_xid, g.from_seq)
         AND (e.xid, e.seq) <= (g.to_xid, g.to_seq) ORDER BY e.xid DESC, e.seq DESC LIMIT 500) e
       WHERE g.state IN ('applied', 'partly') AND g.ended_at > now() - INTERVAL '1 hour' LIMIT 500) t`,
    [workspaceId],
  );
  return { p50Ms: rows[0]?.p50 ?? null, p95Ms: rows[0]?.p95 ?? null };
}
