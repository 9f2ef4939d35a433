import type { EventSummary } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { pool } from "#lib/db/pool";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "./event-rows.ts";

/** Events received since a moment. */
export async function countEventsSince(workspaceId: WorkspaceId, since: Date): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM events WHERE workspace_id = $1 AND received_at >= $2", [
    workspaceId,
    since,
  ]);
  return rows[0]?.n ?? 0;
}

/** Whether the workspace has ever received an event. */
export async function hasEvents(workspaceId: WorkspaceId): Promise<boolean> {
  const { rowCount } = await pool().query("SELECT 1 FROM events WHERE workspace_id = $1 LIMIT 1", [workspaceId]);
  return rowCount === 1;
}

/** Received and failed by minute, the last `minutes` of them, oldest first, empty ones included. */
export async function countPerMinute(
  workspaceId: WorkspaceId,
  minutes: number,
): Promise<{ minute: string; received: number; failed: number }[]> {
  const { rows } = await pool().query<{ minute: Date; received: number; failed: number }>(
    `WITH span AS (SELECT generate_series(date_trunc('minute', now()) - make_interval(mins => $2 - 1), date_trunc('minute', now()), '1 minute') AS minute),
     heard AS (
       SELECT date_trunc('minute', e.received_at) AS minute, count(*) AS received, count(d.seq) AS failed
       FROM events e LEFT JOIN dead_letters d ON d.received_at = e.received_at AND d.seq = e.seq
       WHERE e.workspace_id = $1 AND e.received_at >= date_trunc('minute', now()) - make_interval(mins => $2 - 1) GROUP BY 1)
     SELECT span.minute, coalesce(heard.received, 0) AS received, coalesce(heard.failed, 0) AS failed
     FROM span LEFT JOIN heard USING (minute) ORDER BY span.minute`,
    [workspaceId, minutes],
  );
  return rows.map((row) => ({ minute: row.minute.toISOString(), received: row.received, failed: row.failed }));
}

/** A failed event with the facts that its explanation needs. */
export type FailedEvent = {
  event: EventSummary;
  /** The dead letter's reason; null when the platform reported the failure. */
  failureCode: string | null;
  failureText: string | null;
  attempts: number;
  at: Date;
  body: Buffer;
  receivedAt: Date;
  seq: number;
};

/**
 * What failed, newest first: dead letters, and events by which the platform
 * reports a failure of its own.
 *
 * @param failureTypes the types that report one
 */
export async function listFailedEvents(
  workspaceId: WorkspaceId,
  failureTypes: string[],
  limit: number,
  before: { at: Date; seq: number } | null,
): Promise<FailedEvent[]> {
  const { rows } = await pool().query<
    EventRow & { body: Buffer; failure_code: string | null; failure_text: string | null; attempts: number | null; died_at: Date | null }
  >(
    `SELECT ${EVENT_COLUMNS}, e.body, x.failure_code, x.failure_text, x.attempts, x.died_at
     FROM events e ${EVENT_JOINS} LEFT JOIN dead_letters x ON x.received_at = e.received_at AND x.seq = e.seq
     WHERE e.workspace_id = $1 AND ($4::timestamptz IS NULL OR (e.received_at, e.seq) < ($4, $5::bigint)) AND (e.received_at, e.seq) IN (
       (SELECT d.received_at, d.seq FROM dead_letters d WHERE d.workspace_id = $1
          AND ($4::timestamptz IS NULL OR (d.received_at, d.seq) < ($4, $5::bigint)) ORDER BY d.received_at DESC, d.seq DESC LIMIT $3)
       UNION
       (SELECT p.received_at, p.seq FROM events p WHERE p.workspace_id = $1 AND p.type = ANY($2::text[])
          AND ($4::timestamptz IS NULL OR (p.received_at, p.seq) < ($4, $5::bigint)) ORDER BY p.received_at DESC, p.seq DESC LIMIT $3))
     ORDER BY e.received_at DESC, e.seq DESC LIMIT $3`,
    [workspaceId, failureTypes, limit, before?.at ?? null, before?.seq ?? null],
  );
  return rows.map((row) => ({
    event: summaryOf(row),
    failureCode: row.failure_code,
    failureText: row.failure_text,
    attempts: row.attempts ?? 1,
    at: row.died_at ?? row.received_at,
    body: row.body,
    receivedAt: row.received_at,
    seq: row.seq,
  }));
}

/** Failures that the platform reported since a moment, at most 1,001 counted. */
export async function countPlatformFailures(workspaceId: WorkspaceId, failureTypes: string[], since: Date): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE workspace_id = $1 AND type = ANY($2::text[]) AND received_at >= $3 LIMIT 1001) t",
    [workspaceId, failureTypes, since],
  );
  return rows[0]?.n ?? 0;
}
