import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { type Attempt, attempt } from "#lib/contracts/events/events";
import { countCapped } from "#lib/db/bounded-query";
import { answered, arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import type { Claimed } from "./inbox-store.ts";

type TryResult = { claimed: Claimed; outcome: Attempt["outcome"]; failureCode: string | null; failureText: string | null };

export async function insertAttempts(client: pg.PoolClient, results: TryResult[]): Promise<void> {
  const rows = results.map(({ claimed, ...result }) => ({ ...claimed, ...result, number: claimed.attempts + 1 }));
  await client.query({
    name: "attempts-insert",
    text: `INSERT INTO attempts (workspace_id, received_at, seq, redelivery_id, number, at, outcome, failure_code, failure_text)
      SELECT w, r, s, d, n, clock_timestamp(), o, c, t
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[]) AS u(w, r, s, d, n, o, c, t)`,
    values: arraysOf(rows, "workspaceId", "receivedAt", "seq", "redeliveryId", "number", "outcome", "failureCode", "failureText"),
  });
}

/** First delivery of an event that was applied with its range and has no row: the first range that ends at or behind it tells when. */
const WITH_ITS_RANGE = `SELECT 0::bigint AS id, 1 AS number, g.ended_at AS at, 'applied' AS outcome, NULL AS "redeliveryId", NULL AS "failureCode", NULL AS "failureText"
  FROM events e CROSS JOIN LATERAL (
    SELECT r.* FROM log_ranges r WHERE r.workspace_id = e.workspace_id AND (r.to_xid, r.to_seq) >= (e.xid, e.seq)
    ORDER BY r.to_xid, r.to_seq LIMIT 1) g
  WHERE e.workspace_id = $1 AND e.received_at = $2 AND e.seq = $3 AND (g.from_xid, g.from_seq) < (e.xid, e.seq) AND g.state IN ('applied', 'partly')
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.received_at = $2 AND a.seq = $3 AND a.redelivery_id IS NULL)
    AND NOT EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = $2 AND i.seq = $3 AND i.redelivery_id IS NULL)`;

export async function listAttempts(workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<Attempt[]> {
  const { rows } = await pool().query<Omit<Attempt, "at"> & { at: Date }>(
    `${WITH_ITS_RANGE} UNION ALL SELECT id, number, at, outcome, redelivery_id, failure_code, failure_text FROM attempts
       WHERE workspace_id = $1 AND received_at = $2 AND seq = $3 ORDER BY id`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows.map((row) => answered(attempt, row));
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

type DeadLetter = { receivedAt: Date; seq: number; failureCode: string; failureText: string; attempts: number; diedAt: Date };

export async function insertDeadLetters(client: pg.PoolClient, dead: { claimed: Claimed; code: string; text: string }[]): Promise<void> {
  // One statement can't write a row twice: of an event that was delivered twice in this batch the later reason stays.
  const each = new Map(dead.map(({ claimed, ...why }) => [claimed.seq, { ...claimed, ...why, attempts: claimed.attempts + 1 }]));
  await client.query({
    name: "dead-letters-insert",
    text: `INSERT INTO dead_letters (received_at, seq, workspace_id, type, event_id, failure_code, failure_text, attempts)
      SELECT * FROM unnest($1::timestamptz[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[])
      ON CONFLICT (received_at, seq) DO UPDATE SET failure_code = excluded.failure_code, failure_text = excluded.failure_text,
        attempts = dead_letters.attempts + excluded.attempts, died_at = now()`,
    values: arraysOf([...each.values()], "receivedAt", "seq", "workspaceId", "type", "eventId", "code", "text", "attempts"),
  });
}

export async function resolveDeadLetters(client: pg.PoolClient, applied: Claimed[]): Promise<void> {
  await client.query({
    name: "dead-letters-resolve",
    text: `DELETE FROM dead_letters d USING unnest($1::timestamptz[], $2::bigint[]) AS u(r, s) WHERE d.received_at = u.r AND d.seq = u.s`,
    values: arraysOf(applied, "receivedAt", "seq"),
  });
}

export async function findDeadLetter(workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<DeadLetter | null> {
  const { rows } = await pool().query<Omit<DeadLetter, "receivedAt" | "seq">>(
    `SELECT failure_code AS "failureCode", failure_text AS "failureText", attempts, died_at AS "diedAt" FROM dead_letters
     WHERE workspace_id = $1 AND received_at = $2 AND seq = $3`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows[0] ? { ...at, ...rows[0] } : null;
}

export function countDeadLetters(workspaceId: WorkspaceId): Promise<number> {
  return countCapped("SELECT 1 FROM dead_letters WHERE workspace_id = $1", [workspaceId]);
}

type Places = { receivedAt: string; seq: number }[];

const deleteFrom = (table: string) =>
  `DELETE FROM ${table} t USING unnest($1::timestamptz[], $2::bigint[]) AS u(at, seq) WHERE t.received_at = u.at AND t.seq = u.seq`;

/** Deletes dead letters, attempts and places in frozen sets. Their counts move to the re-deliveries, whose progress stays as it was. */
export async function deleteTries(client: pg.PoolClient, events: Places): Promise<void> {
  await client.query(deleteFrom("dead_letters"), arraysOf(events, "receivedAt", "seq"));
  await client.query(
    `WITH tries AS (${deleteFrom("attempts")} RETURNING t.redelivery_id, t.outcome),
       items AS (${deleteFrom("redelivery_items")} RETURNING t.redelivery_id),
       fared AS (
         SELECT redelivery_id, count(*) FILTER (WHERE outcome = 'applied') AS applied, count(*) FILTER (WHERE outcome = 'failed') AS failed,
           count(*) FILTER (WHERE outcome = 'member') AS members
         FROM (SELECT redelivery_id, outcome FROM tries UNION ALL SELECT redelivery_id, 'member' FROM items) AS all_gone GROUP BY redelivery_id)
     UPDATE redeliveries r SET expired_applied = expired_applied + applied, expired_failed = expired_failed + failed,
       expired_untried = expired_untried + greatest(0, members - applied - failed)
     FROM fared WHERE r.id = fared.redelivery_id`,
    arraysOf(events, "receivedAt", "seq"),
  );
}

/** `lostFailing`: issues that lost an event that was still failed. */
type Losses = { issueIds: string[]; lostFailing: string[] };

export async function deleteFromIssues(client: pg.PoolClient, events: Places): Promise<Losses> {
  const { rows } = await client.query<{ issue_id: string; failing: boolean }>(
    `WITH gone AS (${deleteFrom("issue_events")} RETURNING t.issue_id, t.settled_at)
     SELECT issue_id, bool_or(settled_at IS NULL) AS failing FROM gone GROUP BY issue_id`,
    arraysOf(events, "receivedAt", "seq"),
  );
  return {
    issueIds: rows.map(({ issue_id }) => issue_id),
    lostFailing: rows.filter(({ failing }) => failing).map(({ issue_id }) => issue_id),
  };
}
