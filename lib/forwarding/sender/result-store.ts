import type pg from "pg";
import { storableText } from "#lib/context/storable-text";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { AttemptResult } from "../attempt/send-attempt.ts";

/** An attempt that was made, and what it means for its delivery. */
export type DeliveryResult = {
  workspaceId: WorkspaceId;
  destinationId: string;
  deliveryId: number;
  /** Counted over all tries of the delivery. */
  number: number;
  url: string;
  probe: boolean;
  result: AttemptResult;
  /** What becomes of the delivery; a probe that failed leaves it as it was. */
  next: { state: "delivered" | "exhausted" } | { state: "pending"; attempts: number; waitMs: number } | null;
};

/** Writes what was asked and answered, and moves the deliveries on, in the transaction in hand. */
export async function insertResults(client: pg.PoolClient, results: DeliveryResult[]): Promise<void> {
  await insertAttempts(client, results);
  await moveDeliveries(client, results);
}

async function insertAttempts(client: pg.PoolClient, results: DeliveryResult[]): Promise<void> {
  const column = <T>(pick: (each: DeliveryResult) => T) => results.map(pick);
  await client.query({
    name: "forward-attempts-insert",
    text: `INSERT INTO forward_attempts (workspace_id, destination_id, delivery_id, number, at, outcome, detail, probe, url, request_headers,
        status, response_headers, response_body, remote_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::bool[], $9::text[],
        $10::json[], $11::int[], $12::json[], $13::bytea[], $14::text[], $15::int[], $16::int[], $17::int[], $18::int[], $19::int[])`,
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
    ],
  });
}

/** What a target says may hold what the database's text does not. */
const storable = (text: string): string => storableText(text).replaceAll("\\u0000", "\ufffd");

/** A delivery that was cancelled or skipped meanwhile stays so, unless it got through. */
async function moveDeliveries(client: pg.PoolClient, results: DeliveryResult[]): Promise<void> {
  const moved = [...results].sort((a, b) => a.deliveryId - b.deliveryId);
  const column = <T>(pick: (each: DeliveryResult) => T) => moved.map(pick);
  await client.query({
    name: "forward-deliveries-move",
    text: `UPDATE forward_deliveries f SET
        tries = greatest(f.tries, m.number), last_code = m.code, last_text = m.detail,
        state = coalesce(m.state, f.state), attempts = coalesce(m.attempts, f.attempts),
        due_at = CASE WHEN m.wait_s IS NULL THEN f.due_at ELSE clock_timestamp() + make_interval(secs => m.wait_s) END,
        finished_at = CASE WHEN m.state IN ('delivered', 'exhausted') THEN clock_timestamp() ELSE f.finished_at END
      FROM (SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::float8[])
        AS u(id, number, code, detail, state, attempts, wait_s) ORDER BY id) m
      WHERE f.id = m.id AND (f.state = 'pending' OR m.state = 'delivered')`,
    values: [
      column(({ deliveryId }) => deliveryId),
      column(({ number }) => number),
      column(({ result }) => result.outcome),
      column(({ result }) => storable(result.detail)),
      column(({ next }) => next?.state ?? null),
      column(({ next }) => (next?.state === "pending" ? next.attempts : null)),
      column(({ next }) => (next?.state === "pending" ? next.waitMs / 1000 : null)),
    ],
  });
}
