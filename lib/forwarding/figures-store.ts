import type { DestinationState } from "#lib/contracts/forwarding/destinations";
import { pool } from "#lib/db/pool";

/** Figures of a destination, for those who run the installation. */
export type ForwardingFigures = {
  /** Its ID. */
  destination: string;
  state: DestinationState;
  /** Attempts since it was created. */
  delivered: number;
  failed: number;
  depth: number;
  oldestSeconds: number;
  /** Its successful attempts by how long they took (sender/latency.ts), and all of that together. */
  latencyCounts: number[];
  latencySeconds: number;
};

/** Measures the destinations of all workspaces. */
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
