import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import type { DestinationState, SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { arraysOf } from "#lib/db/columns";
import { changesOne, queryRows, queryValues } from "#lib/db/rows";
import type { AttemptResult } from "../attempt/send-attempt.ts";
import { latencyCounts, waitForProbe } from "../delivery.ts";

export type DeliveryResult = {
  /** A UUID: recorded again, it counts once. */
  attemptId: string;
  workspaceId: WorkspaceId;
  destinationId: string;
  deliveryId: number;
  /** Counted over all tries of the delivery. */
  number: number;
  url: string;
  probe: boolean;
  result: AttemptResult;
  /** Counters when the attempt began. If they have changed, a failure changes nothing of the delivery, or isn't counted by the breaker. */
  read: { attempts: number; starts: number; epoch: number };
  /** Next state of the delivery; null for a failed probe, which leaves it as it was. */
  next: { state: "delivered" | "exhausted" } | { state: "pending"; attempts: number; waitMs: number } | null;
};

/** Records attempts and moves deliveries in the transaction in hand. Returns the new results; `next` is null where nothing moved. */
export async function insertResults(client: pg.PoolClient, results: DeliveryResult[]): Promise<DeliveryResult[]> {
  const inserted = await insertAttempts(client, results);
  const fresh = results.filter(({ attemptId }) => inserted.has(attemptId));
  const moved = await moveDeliveries(client, fresh);
  const others = fresh.filter(({ attemptId }) => !moved.has(attemptId));
  if (others.length > 0) await noteAttempts(client, others);
  return fresh.map((each) => (moved.has(each.attemptId) ? each : { ...each, next: null }));
}

async function insertAttempts(client: pg.PoolClient, results: DeliveryResult[]): Promise<Set<string>> {
  const attempts = results.map(({ result, ...each }) => ({
    ...each,
    ...result,
    ...result.answer,
    detail: storable(result.detail),
    requestHeaders: JSON.stringify(result.requestHeaders),
    headers: result.answer && storable(JSON.stringify(result.answer.headers)),
  }));
  const { rows } = await client.query<{ id: string }>({
    name: "forward-attempts-insert",
    text: `INSERT INTO forward_attempts (workspace_id, destination_id, delivery_id, number, at, outcome, detail, probe, url, request_headers,
        status, response_headers, response_body, remote_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms,
        attempt_id)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::bool[], $9::text[],
        $10::json[], $11::int[], $12::json[], $13::bytea[], $14::text[], $15::int[], $16::int[], $17::int[], $18::int[], $19::int[],
        $20::uuid[])
      ON CONFLICT (attempt_id) WHERE attempt_id IS NOT NULL DO NOTHING RETURNING attempt_id AS id`,
    values: [
      ...arraysOf(
        attempts,
        "workspaceId",
        "destinationId",
        "deliveryId",
        "number",
        "at",
        "outcome",
        "detail",
        "probe",
        "url",
        "requestHeaders",
      ),
      ...arraysOf(
        attempts,
        "status",
        "headers",
        "body",
        "remoteAddress",
        "dnsMs",
        "connectMs",
        "tlsMs",
        "firstByteMs",
        "totalMs",
        "attemptId",
      ),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** A target's text may hold characters that PostgreSQL rejects. */
const storable = (text: string): string => storableText(text).replaceAll("\\u0000", "\ufffd");

/** Moves deliveries; one started over, tried by another worker, cancelled or skipped meanwhile moves only on success. Returns attempts. */
async function moveDeliveries(client: pg.PoolClient, results: DeliveryResult[]): Promise<Set<string>> {
  const moved = inOrder(results);
  const pendingOf = ({ next }: DeliveryResult) => (next?.state === "pending" ? next : null);
  const { rows } = await client.query<{ id: string }>({
    name: "forward-deliveries-move",
    text: `UPDATE forward_deliveries f SET
        tries = greatest(f.tries, m.number), last_code = m.code, last_text = m.detail,
        state = coalesce(m.state, f.state), attempts = coalesce(m.attempts, f.attempts),
        due_at = CASE WHEN m.wait_s IS NULL THEN f.due_at ELSE clock_timestamp() + make_interval(secs => m.wait_s) END,
        finished_at = CASE WHEN m.state IN ('delivered', 'exhausted') THEN clock_timestamp() ELSE f.finished_at END
      FROM (SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::float8[], $8::int[], $9::int[], $10::uuid[])
        AS u(id, number, code, detail, state, attempts, wait_s, read_attempts, read_starts, attempt_id) ORDER BY id) m
      WHERE f.id = m.id
        AND (m.state = 'delivered' OR (f.state = 'pending' AND f.attempts = m.read_attempts AND f.starts = m.read_starts))
      RETURNING m.attempt_id AS id`,
    values: [
      ...arraysOf(moved, "deliveryId", "number"),
      ...resultsOf(moved),
      moved.map(({ next }) => next?.state ?? null),
      moved.map((each) => pendingOf(each)?.attempts ?? null),
      moved.map((each) => pendingOf(each) && Number(pendingOf(each)?.waitMs) / 1000),
      ...arraysOf(
        moved.map(({ read }) => read),
        "attempts",
        "starts",
      ),
      ...arraysOf(moved, "attemptId"),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** An attempt that moves nothing is still the last known result of a waiting delivery. */
async function noteAttempts(client: pg.PoolClient, results: DeliveryResult[]): Promise<void> {
  const noted = inOrder(results);
  await client.query(
    `UPDATE forward_deliveries f SET tries = greatest(f.tries, m.number), last_code = m.code, last_text = m.detail
     FROM (SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[]) AS u(id, number, code, detail) ORDER BY id) m
     WHERE f.id = m.id AND f.state = 'pending'`,
    [...arraysOf(noted, "deliveryId", "number"), ...resultsOf(noted)],
  );
}

const resultsOf = (results: DeliveryResult[]) => [
  results.map(({ result }) => result.outcome),
  results.map(({ result }) => storable(result.detail)),
];

/** All lock deliveries in this order, so that two can't deadlock. */
const inOrder = (results: DeliveryResult[]): DeliveryResult[] => [...results].sort((a, b) => a.deliveryId - b.deliveryId);

/** Failures in a row, or part of at least 10 attempts within the window, that suspend a destination. */
const IN_A_ROW = 20;
const FAILED_PART = 0.7;
const AT_LEAST = 10;
const WINDOW = "5 minutes";
const NO_SUCCESS = "120 hours";

/** Results of attempts at one destination, without failures that are not the target's. */
export type AttemptCounts = {
  destinationId: string;
  workspaceId: WorkspaceId;
  delivered: number;
  failed: number;
  /** Failures from before its state changed: they count in its totals alone. */
  outdated: number;
  /** Failures after the last success. */
  failedLast: number;
  lastFailure: { code: string; text: string } | null;
  durationsMs: number[];
};

export type DestinationStanding = {
  id: string;
  state: DestinationState;
  epoch: number;
  /** Reason to suspend it; null for none. */
  overdue: SuspensionReason | null;
};

/** Locks destinations until the transaction ends. Returns how often the state of each has changed. */
export async function lockEpochs(client: pg.PoolClient, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; epoch: number }>({
    name: "destinations-lock",
    text: "SELECT id, epoch FROM destinations WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE",
    values: [ids],
  });
  return new Map(rows.map(({ id, epoch }) => [id, epoch]));
}

/** Counts attempts in the transaction that records them, in the order of destination IDs, so that two can't deadlock. */
export async function countAttempts(client: pg.PoolClient, counts: AttemptCounts[]): Promise<DestinationStanding[]> {
  const sorted = [...counts].sort((a, b) => (a.destinationId < b.destinationId ? -1 : 1));
  const { rows } = await client.query<Omit<DestinationStanding, "overdue"> & { failuresInRow: number; tooLong: boolean }>({
    name: "destinations-count",
    text: `WITH c AS (
        SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::int[])
          AS u(id, delivered, failed, failed_last, code, words, latency, latency_ms, outdated)),
      counted AS (
        UPDATE destinations d SET
          failures_in_row = CASE WHEN c.delivered > 0 THEN c.failed_last ELSE d.failures_in_row + c.failed END,
          failing_since = CASE WHEN c.delivered + c.failed = 0 THEN d.failing_since WHEN c.failed_last = 0 THEN NULL WHEN c.delivered > 0 THEN now() ELSE coalesce(d.failing_since, now()) END,
          last_success_at = CASE WHEN c.delivered > 0 THEN now() ELSE d.last_success_at END,
          last_failure_at = CASE WHEN c.failed > 0 THEN now() ELSE d.last_failure_at END,
          last_failure_code = coalesce(c.code, d.last_failure_code), last_failure_text = coalesce(c.words, d.last_failure_text),
          attempts_delivered = d.attempts_delivered + c.delivered, attempts_failed = d.attempts_failed + c.failed + c.outdated, latency_sum_ms = d.latency_sum_ms + c.latency_ms,
          latency_counts = ARRAY(SELECT coalesce(old, 0) + new FROM unnest(d.latency_counts, c.latency::bigint[]) WITH ORDINALITY AS b(old, new, at) ORDER BY at)
        FROM c WHERE d.id = c.id
        RETURNING d.id, d.workspace_id, d.state, d.epoch, d.failures_in_row, d.failing_since, c.delivered, c.failed),
      minutes AS (
        INSERT INTO destination_minutes AS m (destination_id, epoch, minute, workspace_id, delivered, failed)
        SELECT id, epoch, date_trunc('minute', now()), workspace_id, delivered, failed FROM counted
        ON CONFLICT (destination_id, epoch, minute) DO UPDATE SET delivered = m.delivered + excluded.delivered, failed = m.failed + excluded.failed)
      SELECT id, state, epoch, failures_in_row AS "failuresInRow", coalesce(failing_since <= now() - interval '${NO_SUCCESS}', false) AS "tooLong"
      FROM counted ORDER BY id`,
    values: [
      ...arraysOf(sorted, "destinationId", "delivered", "failed", "failedLast"),
      sorted.map(({ lastFailure }) => lastFailure?.code ?? null),
      sorted.map(({ lastFailure }) => lastFailure?.text ?? null),
      sorted.map(({ durationsMs }) => `{${latencyCounts(durationsMs).join()}}`),
      sorted.map(({ durationsMs }) => durationsMs.reduce((sum, ms) => sum + ms, 0)),
      ...arraysOf(sorted, "outdated"),
    ],
  });
  return rows.map(({ failuresInRow, tooLong, ...row }) => ({
    ...row,
    overdue: failuresInRow >= IN_A_ROW ? "failing" : tooLong ? "no_success" : null,
  }));
}

/** Lists destinations of which too many attempts failed within the window, since their state changed last. */
export const listFailing = (client: pg.PoolClient, ids: string[]): Promise<string[]> =>
  queryValues<{ id: string }>(client, {
    name: "destinations-failing",
    text: `SELECT d.id FROM destinations d JOIN destination_minutes m ON m.destination_id = d.id AND m.epoch = d.epoch
      WHERE d.id = ANY($1::text[]) AND m.minute > now() - interval '${WINDOW}'
      GROUP BY d.id HAVING sum(m.delivered + m.failed) >= ${AT_LEAST} AND sum(m.failed) >= ${FAILED_PART} * sum(m.delivered + m.failed)`,
    values: [ids],
  });

export const listBreakers = (
  client: pg.PoolClient,
  ids: string[],
): Promise<{ id: string; workspaceId: WorkspaceId; state: "active" | "suspended" }[]> =>
  queryRows<{ id: string; workspaceId: WorkspaceId; state: "active" | "suspended" }>(
    client,
    `SELECT id, workspace_id AS "workspaceId", state FROM destinations WHERE id = ANY($1::text[]) AND state IN ('active', 'suspended')`,
    [ids],
  );

/** Suspends an active destination. One that answered 410 is not probed. */
export const suspendDestination = (client: pg.PoolClient, id: string, reason: SuspensionReason): Promise<boolean> =>
  changesOne(
    client,
    `UPDATE destinations SET state = 'suspended', state_reason = $2, state_at = now(), state_by = NULL, epoch = epoch + 1, probes = 0,
       probe_at = CASE WHEN $2 = 'gone' THEN NULL ELSE now() + make_interval(secs => $3) END
     WHERE id = $1 AND state = 'active' AND deleted_at IS NULL`,
    [id, reason, waitForProbe(0) / 1000],
  );

export const reactivateDestination = (client: pg.PoolClient, id: string): Promise<boolean> =>
  changesOne(
    client,
    `UPDATE destinations SET state = 'active', state_reason = NULL, state_at = now(), state_by = NULL, epoch = epoch + 1, probes = 0, probe_at = NULL,
       failures_in_row = 0, failing_since = NULL WHERE id = $1 AND state = 'suspended' AND deleted_at IS NULL`,
    [id],
  );

/** Makes the next probe later; there is none after an answer of 410. */
export async function postponeProbe(client: pg.PoolClient, id: string, gone: boolean): Promise<void> {
  const { rows } = await client.query<{ probes: number }>(
    "UPDATE destinations SET probes = probes + 1 WHERE id = $1 AND state = 'suspended' RETURNING probes",
    [id],
  );
  const [row] = rows;
  if (!row) return;
  await client.query(
    `UPDATE destinations SET probe_at = CASE WHEN $3 THEN NULL ELSE now() + make_interval(secs => $2) END,
       state_reason = CASE WHEN $3 THEN 'gone' ELSE state_reason END WHERE id = $1`,
    [id, waitForProbe(row.probes) / 1000, gone],
  );
}
