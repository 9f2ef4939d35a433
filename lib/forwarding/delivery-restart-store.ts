import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { SqlValues } from "#lib/db/sql-values";
import { type DeliveryNarrowing, narrowingSql } from "./delivery.ts";

/** Excludes deliveries on their way already or without an event, and those recorded after `until` (or now if null). */
const restartable = (until: string) =>
  `d.deleted_at IS NULL AND f.created_at <= coalesce(${until}::timestamptz, now()) AND f.last_code IS DISTINCT FROM 'event_deleted'
   AND (f.state <> 'pending' OR f.attempts > 0)`;

const START = "state = 'pending', attempts = 0, starts = f.starts + 1, due_at = now(), finished_at = NULL";

/** Makes a finished or waiting delivery due now. Returns false when it is on its way already or not there. */
export async function restartDelivery(workspaceId: WorkspaceId, id: number): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE forward_deliveries f SET ${START} FROM destinations d
     WHERE f.workspace_id = $1 AND f.id = $2 AND d.id = f.destination_id AND ${restartable("now()")}`,
    [workspaceId, id],
  );
  return rowCount === 1;
}

/** `destinations`: null for all; `until`: by the database's clock, now if absent. */
export type RestartSet = { workspaceId: WorkspaceId; destinations: string[] | null; narrowing: DeliveryNarrowing; until?: string };

export async function countRestartable({ workspaceId, destinations, narrowing, until }: RestartSet): Promise<Map<string, number>> {
  const { values, bind } = new SqlValues(workspaceId);
  const { rows } = await pool().query<{ id: string; n: number }>(
    `SELECT d.id, count(*) AS n FROM destinations d JOIN forward_deliveries f ON f.destination_id = d.id
     WHERE d.workspace_id = $1 AND (${bind(destinations)}::text[] IS NULL OR d.id = ANY($2)) AND ${narrowingSql(narrowing, bind)}
       AND ${restartable(bind(until ?? null))} GROUP BY d.id ORDER BY d.id`,
    values,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export type RestartPlace = { receivedAt: string; seq: number };

/** Starts a chunk of a destination's deliveries over, oldest event first, in the transaction in hand; null when none is left. */
export async function restartChunk(
  client: pg.PoolClient,
  { workspaceId, narrowing, until }: Omit<RestartSet, "destinations">,
  destinationId: string,
  after: RestartPlace | null,
  limit: number,
): Promise<{ examined: number; started: number; last: RestartPlace } | null> {
  const { values, bind } = new SqlValues(workspaceId);
  const { rows } = await client.query<{ receivedAt: Date; seq: number; started: boolean }>(
    `WITH found AS MATERIALIZED (
       SELECT next.* FROM destinations d CROSS JOIN LATERAL (
         SELECT f.id, f.received_at, f.seq FROM forward_deliveries f WHERE f.destination_id = d.id AND ${narrowingSql(narrowing, bind)}
           AND ${restartable(bind(until ?? null))}
           AND (f.received_at, f.seq) > (${bind(after?.receivedAt ?? "-infinity")}::timestamptz, ${bind(after?.seq ?? 0)}::bigint)
         ORDER BY f.received_at, f.seq LIMIT ${bind(limit)}) next
       WHERE d.workspace_id = $1 AND d.id = ${bind(destinationId)}),
     started AS (
       UPDATE forward_deliveries f SET ${START} WHERE f.id = ANY (ARRAY(SELECT id FROM found)) AND (f.state <> 'pending' OR f.attempts > 0)
       RETURNING f.id)
     SELECT found.received_at AS "receivedAt", found.seq, started.id IS NOT NULL AS started
     FROM found LEFT JOIN started USING (id) ORDER BY found.received_at, found.seq`,
    values,
  );
  const last = rows.at(-1);
  if (!last) return null;
  const started = rows.filter((row) => row.started).length;
  return { examined: rows.length, started, last: { receivedAt: last.receivedAt.toISOString(), seq: last.seq } };
}

/** Rows per statement: each ends well within its time limit, however much is held. */
const CHUNK = 10_000;

const FINISH = `UPDATE forward_deliveries SET state = $4, finished_at = now(), last_code = $4, last_text = $5
  WHERE workspace_id = $1 AND id = ANY (ARRAY(`;

const finishing = (held: string) => `${FINISH} ${held} LIMIT $3)) AND state = 'pending'`;

const EVERY = finishing("SELECT id FROM forward_deliveries WHERE destination_id = $2 AND state = 'pending' ORDER BY due_at, id");

/** All but the newest of each subject. */
const OVERTAKEN = finishing(
  `SELECT f.id FROM forward_deliveries f WHERE f.destination_id = $2 AND f.state = 'pending' AND EXISTS (
     SELECT 1 FROM forward_deliveries n WHERE n.destination_id = f.destination_id AND n.subject = f.subject AND n.state = 'pending'
       AND n.seq > f.seq)`,
);

type Finish = { state: "skipped" | "cancelled"; text: string; keepNewest: boolean };

/** Finishes held deliveries without sending them, a chunk at a time. Returns their number. */
export async function finishHeld(workspaceId: WorkspaceId, destinationId: string, { state, text, keepNewest }: Finish): Promise<number> {
  let finished = 0;
  for (;;) {
    const values = [workspaceId, destinationId, CHUNK, state, text];
    const { rowCount } = await pool().query(keepNewest ? OVERTAKEN : EVERY, values);
    finished += rowCount ?? 0;
    if ((rowCount ?? 0) < CHUNK) return finished;
  }
}
