import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { storableText } from "#lib/contracts/api/plain-text";
import type { AttemptResult } from "../attempt/send-attempt.ts";

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
  const column = <T>(pick: (each: DeliveryResult) => T) => results.map(pick);
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
      column(({ workspaceId }) => workspaceId),
      column(({ destinationId }) => destinationId),
      column(({ deliveryId }) => deliveryId),
      column(({ number }) => number),
      column(({ result }) => result.at.toISOString()),
      column(({ result }) => result.outcome),
      column(({ result }) => storable(result.detail)),
      column(({ probe }) => probe),
      column(({ url }) => url),
      column(({ result }) => JSON.stringify(result.requestHeaders)),
      column(({ result }) => result.answer?.status ?? null),
      column(({ result }) => result.answer && storable(JSON.stringify(result.answer.headers))),
      column(({ result }) => result.answer?.body ?? null),
      column(({ result }) => result.answer?.remoteAddress ?? null),
      column(({ result }) => result.answer?.dnsMs ?? null),
      column(({ result }) => result.answer?.connectMs ?? null),
      column(({ result }) => result.answer?.tlsMs ?? null),
      column(({ result }) => result.answer?.firstByteMs ?? null),
      column(({ result }) => result.totalMs),
      column(({ attemptId }) => attemptId),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** A target's text may hold characters that PostgreSQL rejects. */
const storable = (text: string): string => storableText(text).replaceAll("\\u0000", "\ufffd");

/** Moves deliveries; one started over, tried by another worker, cancelled or skipped meanwhile moves only on success. Returns attempts. */
async function moveDeliveries(client: pg.PoolClient, results: DeliveryResult[]): Promise<Set<string>> {
  const moved = inOrder(results);
  const column = <T>(pick: (each: DeliveryResult) => T) => moved.map(pick);
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
      column(({ deliveryId }) => deliveryId),
      column(({ number }) => number),
      column(({ result }) => result.outcome),
      column(({ result }) => storable(result.detail)),
      column(({ next }) => next?.state ?? null),
      column(({ next }) => (next?.state === "pending" ? next.attempts : null)),
      column(({ next }) => (next?.state === "pending" ? next.waitMs / 1000 : null)),
      column(({ read }) => read.attempts),
      column(({ read }) => read.starts),
      column(({ attemptId }) => attemptId),
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
    [
      noted.map(({ deliveryId }) => deliveryId),
      noted.map(({ number }) => number),
      noted.map(({ result }) => result.outcome),
      noted.map(({ result }) => storable(result.detail)),
    ],
  );
}

/** All lock deliveries in this order, so that two can't deadlock. */
const inOrder = (results: DeliveryResult[]): DeliveryResult[] => [...results].sort((a, b) => a.deliveryId - b.deliveryId);
