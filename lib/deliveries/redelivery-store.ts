import type { WorkspaceId } from "#lib/contracts/ids";
import { newId } from "#lib/contracts/ids";
import { inTransaction, pool } from "#lib/db/pool";

/** Where an event stands in the log. */
export type LogPosition = { receivedAt: Date; seq: number };

/** A request to deliver again, with how far it has come. */
export type Redelivery = {
  id: string;
  name: string | null;
  state: "running" | "done" | "aborted";
  total: number;
  waiting: number;
  applied: number;
  failed: number;
  requestedBy: string | null;
  createdAt: Date;
};

/**
 * Queues events again: a delivery and an inbox entry each, in one transaction.
 *
 * @returns the delivery's id
 */
export async function insertRedelivery(
  workspaceId: WorkspaceId,
  positions: LogPosition[],
  request: { name: string | null; filter: unknown; requestedBy: string },
): Promise<string> {
  const id = newId("rdl");
  await inTransaction(pool(), async (client) => {
    await client.query(
      "INSERT INTO redeliveries (id, workspace_id, name, filter, state, total, requested_by) VALUES ($1, $2, $3, $4, 'queued', $5, $6)",
      [
        id,
        workspaceId,
        request.name,
        request.filter === null ? null : JSON.stringify(request.filter),
        positions.length,
        request.requestedBy,
      ],
    );
    await client.query(
      "INSERT INTO inbox (workspace_id, received_at, seq, redelivery_id) SELECT $1, r, s, $2 FROM unnest($3::timestamptz[], $4::bigint[]) AS u(r, s)",
      [workspaceId, id, positions.map(({ receivedAt }) => receivedAt.toISOString()), positions.map(({ seq }) => seq)],
    );
  });
  return id;
}

/** Takes what still waits out of the inbox. @returns false when the workspace has no such redelivery */
export async function abortRedelivery(workspaceId: WorkspaceId, id: string): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      "UPDATE redeliveries SET state = 'aborted', finished_at = now() WHERE workspace_id = $1 AND id = $2",
      [workspaceId, id],
    );
    if (rowCount) await client.query("DELETE FROM inbox WHERE workspace_id = $1 AND redelivery_id = $2", [workspaceId, id]);
    return rowCount === 1;
  });
}

type Row = {
  id: string;
  name: string | null;
  state: string;
  total: number;
  waiting: number;
  applied: number;
  failed: number;
  requested_by: string | null;
  created_at: Date;
};

const SELECT = `SELECT r.id, r.name, r.state, r.total, r.requested_by, r.created_at,
    (SELECT count(*) FROM inbox i WHERE i.redelivery_id = r.id) AS waiting,
    (SELECT count(*) FROM attempts a WHERE a.redelivery_id = r.id AND a.outcome = 'applied') AS applied,
    (SELECT count(*) FROM attempts a WHERE a.redelivery_id = r.id AND a.outcome = 'failed') AS failed
  FROM redeliveries r`;

/** Progress is derived from inbox and attempts; nothing counts along. */
const redeliveryOf = (row: Row): Redelivery => ({
  id: row.id,
  name: row.name,
  state: row.state === "aborted" ? "aborted" : row.waiting > 0 ? "running" : "done",
  total: row.total,
  waiting: row.waiting,
  applied: row.applied,
  failed: row.failed,
  requestedBy: row.requested_by,
  createdAt: row.created_at,
});

/** One redelivery and its progress; null when the workspace has none of that id. */
export async function findRedelivery(workspaceId: WorkspaceId, id: string): Promise<Redelivery | null> {
  const { rows } = await pool().query<Row>(`${SELECT} WHERE r.workspace_id = $1 AND r.id = $2`, [workspaceId, id]);
  return rows[0] ? redeliveryOf(rows[0]) : null;
}

/** The redeliveries of one event, newest first: those that still wait or have tried it. */
export async function listRedeliveriesOf(workspaceId: WorkspaceId, at: LogPosition): Promise<Redelivery[]> {
  const { rows } = await pool().query<Row>(
    `${SELECT} WHERE r.workspace_id = $1 AND r.id IN (
       SELECT redelivery_id FROM attempts WHERE received_at = $2 AND seq = $3 AND redelivery_id IS NOT NULL
       UNION SELECT redelivery_id FROM inbox WHERE received_at = $2 AND seq = $3 AND redelivery_id IS NOT NULL)
     ORDER BY r.created_at DESC LIMIT 20`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows.map(redeliveryOf);
}
