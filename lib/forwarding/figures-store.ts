import type { DestinationState } from "#lib/contracts/forwarding/destinations";
import { pool } from "#lib/db/pool";

export type ForwardingFigures = {
  destination: string;
  state: DestinationState;
  /** Attempts since it was created. */
  delivered: number;
  failed: number;
  depth: number;
  oldestSeconds: number;
  /** Successful attempts by duration (LATENCY_BOUNDS_MS), and the sum of their durations. */
  latencyCounts: number[];
  latencySeconds: number;
};

export async function measureForwarding(): Promise<ForwardingFigures[]> {
  const { rows } = await pool().query<ForwardingFigures>(
    `SELECT d.id AS destination, d.state, d.attempts_delivered AS delivered, d.attempts_failed AS failed, f.depth, f.oldest AS "oldestSeconds",
       d.latency_counts AS "latencyCounts", d.latency_sum_ms::float8 / 1000 AS "latencySeconds"
     FROM destinations d CROSS JOIN LATERAL (
       SELECT count(*) AS depth, coalesce(greatest(0, extract(epoch FROM now() - min(due_at))), 0)::float8 AS oldest
       FROM forward_deliveries WHERE destination_id = d.id AND state = 'pending') f
     WHERE d.deleted_at IS NULL ORDER BY d.id`,
  );
  return rows.map((row) => ({ ...row, latencyCounts: row.latencyCounts.map(Number) }));
}
