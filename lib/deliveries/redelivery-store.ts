import type pg from "pg";
import type { EventFilter } from "#lib/contracts/events";
import { newId, type WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { RedeliveryProgress } from "#lib/contracts/redeliveries";
import { inTransaction, pool } from "#lib/db/pool";

/** Where an event stands in the log. */
export type LogPosition = { receivedAt: Date; seq: number };

type Request = { name: string | null; filter: EventFilter | null; requestedBy: string };

/**
 * Freezes a set of events to be delivered again; nothing begins.
 *
 * @returns the redelivery's id
 */
export async function insertRedelivery(workspaceId: WorkspaceId, positions: LogPosition[], request: Request): Promise<string> {
  const id = newId("rdl");
  await inTransaction(pool(), async (client) => {
    await client.query(
      "INSERT INTO redeliveries (id, workspace_id, name, filter, state, total, requested_by) VALUES ($1, $2, $3, $4, 'held', $5, $6)",
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
      `INSERT INTO redelivery_items (workspace_id, redelivery_id, received_at, seq)
       SELECT $1, $2, r, s FROM unnest($3::timestamptz[], $4::bigint[]) AS u(r, s)`,
      [workspaceId, id, positions.map(({ receivedAt }) => receivedAt.toISOString()), positions.map(({ seq }) => seq)],
    );
  });
  return id;
}

const TRIED = `EXISTS (SELECT 1 FROM attempts a WHERE a.redelivery_id = i.redelivery_id AND a.received_at = i.received_at AND a.seq = i.seq
  AND a.outcome IN ('applied', 'failed'))`;

/**
 * Puts what was not tried yet into the inbox: all of a held one, the rest of an aborted one. One that runs or has
 * nothing left stays as it is.
 *
 * @param name replaces the one that it was given before
 * @returns false when the workspace has no such redelivery
 */
export async function startRedelivery(workspaceId: WorkspaceId, id: string, name: string | null = null): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    const state = await lock(client, workspaceId, id);
    if (state !== "held" && state !== "aborted") return state !== null;
    await client.query("UPDATE redeliveries SET state = 'queued', finished_at = NULL, name = coalesce($2, name) WHERE id = $1", [id, name]);
    await client.query(
      `INSERT INTO inbox (workspace_id, received_at, seq, redelivery_id)
       SELECT i.workspace_id, i.received_at, i.seq, i.redelivery_id FROM redelivery_items i
       JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq
       WHERE i.redelivery_id = $1 AND NOT ${TRIED} ORDER BY i.received_at, i.seq`,
      [id],
    );
    return true;
  });
}

/** Takes what still waits out of the inbox; what was tried stays. @returns false when the workspace has no such redelivery */
export async function abortRedelivery(workspaceId: WorkspaceId, id: string): Promise<boolean> {
  return inTransaction(pool(), async (client) => {
    if ((await lock(client, workspaceId, id)) === null) return false;
    await client.query("DELETE FROM inbox WHERE workspace_id = $1 AND redelivery_id = $2", [workspaceId, id]);
    await client.query("UPDATE redeliveries SET state = 'aborted', finished_at = now() WHERE id = $1", [id]);
    return true;
  });
}

async function lock(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<string | null> {
  const { rows } = await client.query<{ state: string }>("SELECT state FROM redeliveries WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [
    workspaceId,
    id,
  ]);
  return rows[0]?.state ?? null;
}

/** Forgets sets that were frozen before a moment and never begun. @returns how many */
export async function deleteHeldRedeliveries(before: Date): Promise<number> {
  const { rowCount } = await pool("worker").query(
    `WITH old AS (DELETE FROM redeliveries WHERE state = 'held' AND created_at < $1 RETURNING id),
     items AS (DELETE FROM redelivery_items i USING old WHERE i.redelivery_id = old.id) SELECT 1 FROM old`,
    [before],
  );
  return rowCount ?? 0;
}

type Row = {
  id: string;
  name: string | null;
  filter: EventFilter | null;
  state: string;
  total: number;
  waiting: number;
  applied: number;
  failed: number;
  expired: number;
  requested_by: string | null;
  created_at: Date;
};

const SELECT = `SELECT r.id, r.name, r.filter, r.state, r.total, r.requested_by, r.created_at,
    (SELECT count(*) FROM inbox i WHERE i.redelivery_id = r.id) AS waiting,
    r.expired_applied + (SELECT count(*) FROM attempts a WHERE a.redelivery_id = r.id AND a.outcome = 'applied') AS applied,
    r.expired_failed + (SELECT count(*) FROM attempts a WHERE a.redelivery_id = r.id AND a.outcome = 'failed') AS failed,
    r.expired_untried AS expired
  FROM redeliveries r`;

/** Progress is derived from inbox and attempts; nothing counts along. Only what leaves the log leaves its counts behind. */
const redeliveryOf = ({ requested_by, created_at, ...row }: Row): RedeliveryProgress => ({
  ...row,
  state: row.state === "held" || row.state === "aborted" ? row.state : row.waiting > 0 ? "running" : "done",
  left: Math.max(0, row.total - row.applied - row.failed - row.expired),
  requestedBy: requested_by,
  createdAt: created_at.toISOString(),
});

/** One redelivery and its progress; null when the workspace has none of that id. */
export async function findRedelivery(workspaceId: WorkspaceId, id: string): Promise<RedeliveryProgress | null> {
  const { rows } = await pool().query<Row>(`${SELECT} WHERE r.workspace_id = $1 AND r.id = $2`, [workspaceId, id]);
  return rows[0] ? redeliveryOf(rows[0]) : null;
}

/** The redeliveries that were begun, newest first. The cursor is the id that the page before ended with. */
export async function listRedeliveries(
  workspaceId: WorkspaceId,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<RedeliveryProgress>> {
  const { rows } = await pool().query<Row>(
    `${SELECT} WHERE r.workspace_id = $1 AND r.state <> 'held' AND ($2::text IS NULL OR (r.created_at, r.id) <
       (SELECT b.created_at, b.id FROM redeliveries b WHERE b.workspace_id = $1 AND b.id = $2))
     ORDER BY r.created_at DESC, r.id DESC LIMIT $3`,
    [workspaceId, cursor ?? null, limit + 1],
  );
  const data = rows.slice(0, limit).map(redeliveryOf);
  return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** The redeliveries of one event, newest first: those that still wait or have tried it. */
export async function listRedeliveriesOf(workspaceId: WorkspaceId, at: LogPosition): Promise<RedeliveryProgress[]> {
  const { rows } = await pool().query<Row>(
    `${SELECT} WHERE r.workspace_id = $1 AND r.id IN (
       SELECT redelivery_id FROM attempts WHERE received_at = $2 AND seq = $3 AND redelivery_id IS NOT NULL
       UNION SELECT redelivery_id FROM inbox WHERE received_at = $2 AND seq = $3 AND redelivery_id IS NOT NULL)
     ORDER BY r.created_at DESC LIMIT 20`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows.map(redeliveryOf);
}
