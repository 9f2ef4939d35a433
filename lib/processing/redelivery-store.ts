import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { EventFilter } from "#lib/contracts/events/events";
import type { RedeliveryEventFilter } from "#lib/contracts/list-filters";
import { type RedeliveryEvent, type RedeliveryProgress, redeliveryEvent, redeliveryProgress } from "#lib/contracts/redeliveries";
import { answered, arraysOf, column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { inTransaction, pool } from "#lib/db/pool";
import { countChanged, queryRows, queryValue } from "#lib/db/rows";
import { conditionsOf, type FilterConditions, LOGGED_COLUMNS, type LoggedEvent, SqlValues } from "#lib/db/sql";
import { titleOfType } from "#lib/platform/event-catalogue";

/** `queued`: begun; its progress is derived. */
type StoredState = "held" | "queued" | "aborted";

type LogPosition = { receivedAt: Date; seq: number };

type Request = { name: string | null; filter: EventFilter | null; requestedBy: string; toDestinations?: boolean };

/** Freezes a set of events to be delivered again; nothing begins. */
export async function insertRedelivery(workspaceId: WorkspaceId, positions: LogPosition[], request: Request): Promise<string> {
  const id = newId("rdl");
  await inTransaction(pool(), async (client) => {
    await client.query(
      "INSERT INTO redeliveries (id, workspace_id, name, filter, state, total, requested_by, to_destinations) VALUES ($1, $2, $3, $4, 'held', $5, $6, $7)",
      [
        id,
        workspaceId,
        request.name,
        request.filter === null ? null : JSON.stringify(request.filter),
        positions.length,
        request.requestedBy,
        request.toDestinations ?? false,
      ],
    );
    await client.query(
      `INSERT INTO redelivery_items (workspace_id, redelivery_id, received_at, seq)
       SELECT $1, $2, r, s FROM unnest($3::timestamptz[], $4::bigint[]) AS u(r, s)`,
      [workspaceId, id, ...arraysOf(positions, "receivedAt", "seq")],
    );
  });
  return id;
}

export type RedeliveryChoice = { name?: string | null | undefined; toDestinations?: boolean | undefined };

/** Returns those whose events are to be sent to destinations again. */
export async function listToDestinations(client: pg.PoolClient, ids: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: "redeliveries-to-destinations",
    text: "SELECT id FROM redeliveries WHERE id = ANY($1::text[]) AND to_destinations",
    values: [ids],
  });
  return new Set(rows.map(({ id }) => id));
}

const TRIED = `EXISTS (SELECT 1 FROM attempts a WHERE a.redelivery_id = i.redelivery_id AND a.received_at = i.received_at AND a.seq = i.seq
  AND a.outcome IN ('applied', 'failed'))`;

/** Puts untried events into the inbox. Does nothing for one that runs. Returns its state before; null when there is none. */
export async function startRedelivery(workspaceId: WorkspaceId, id: string, choice: RedeliveryChoice = {}): Promise<StoredState | null> {
  return inTransaction(pool(), async (client) => {
    // A transaction that takes a position holds back the log's readers until it ends: a process may not hang in it for long.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = '10s'");
    // It takes a position among the events, so it must lock the log before the transaction has an ID (lib/events/log/event-lookup-store.ts).
    await client.query("LOCK TABLE events IN ROW EXCLUSIVE MODE");
    const state = await lock(client, workspaceId, id);
    if (state !== "held" && state !== "aborted") return state;
    await client.query(
      "UPDATE redeliveries SET state = 'queued', finished_at = NULL, name = coalesce($2, name), to_destinations = coalesce($3, to_destinations), position = log_position() WHERE id = $1",
      [id, choice.name ?? null, choice.toDestinations ?? null],
    );
    await client.query(
      `INSERT INTO inbox (workspace_id, received_at, seq, redelivery_id)
       SELECT i.workspace_id, i.received_at, i.seq, i.redelivery_id FROM redelivery_items i
       JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq
       WHERE i.redelivery_id = $1 AND NOT ${TRIED} ORDER BY i.received_at, i.seq`,
      [id],
    );
    return state;
  });
}

/** Removes waiting events from the inbox; tried ones stay, and a finished one stays done. */
export async function abortRedelivery(workspaceId: WorkspaceId, id: string): Promise<{ before: StoredState; changed: boolean } | null> {
  return inTransaction(pool(), async (client) => {
    const before = await lock(client, workspaceId, id);
    if (before === null) return null;
    const { rowCount } = await client.query("DELETE FROM inbox WHERE workspace_id = $1 AND redelivery_id = $2", [workspaceId, id]);
    const changed = before === "held" || (before === "queued" && rowCount !== 0);
    if (changed) await client.query("UPDATE redeliveries SET state = 'aborted', finished_at = now() WHERE id = $1", [id]);
    return { before, changed };
  });
}

const lock = (client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<StoredState | null> =>
  queryValue<{ state: StoredState }>(client, "SELECT state FROM redeliveries WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [
    workspaceId,
    id,
  ]);

export const deleteHeldRedeliveries = (before: Date): Promise<number> =>
  countChanged(
    pool("worker"),
    `WITH old AS (DELETE FROM redeliveries WHERE state = 'held' AND created_at < $1 RETURNING id),
     items AS (DELETE FROM redelivery_items i USING old WHERE i.redelivery_id = old.id) SELECT 1 FROM old`,
    [before],
  );

const triedSql = (outcome: "applied" | "failed"): string =>
  `r.expired_${outcome} + (SELECT count(*) FROM attempts a WHERE a.redelivery_id = r.id AND a.outcome = '${outcome}')`;

const PROGRESS = {
  id: column<string>(),
  name: column<string | null>(),
  filter: column<EventFilter | null>(),
  state: column<string>(),
  total: column<number>(),
  requestedBy: column<string | null>(),
  createdAt: column<Date>(),
  destinations: column<boolean>("r.to_destinations"),
  waiting: column<number>("(SELECT count(*) FROM inbox i WHERE i.redelivery_id = r.id)"),
  applied: column<number>(triedSql("applied")),
  failed: column<number>(triedSql("failed")),
  expired: column<number>("r.expired_untried"),
  event: column<{
    id: string;
    type: string;
  } | null>(`CASE WHEN r.total = 1 THEN (SELECT jsonb_build_object('id', e.event_id, 'type', e.type)
    FROM redelivery_items i JOIN events e USING (received_at, seq) WHERE i.redelivery_id = r.id LIMIT 1) END`),
};

type Row = RowOf<typeof PROGRESS>;

const SELECT = `SELECT ${columnsSql(PROGRESS, "r")} FROM redeliveries r`;

/** Derives progress from inbox and attempts. Only events that leave the log leave counts behind. */
const redeliveryOf = (row: Row): RedeliveryProgress =>
  answered(redeliveryProgress, {
    ...row,
    event: row.event && { ...row.event, title: titleOfType(row.event.type) },
    state: row.state === "held" || row.state === "aborted" ? row.state : row.waiting > 0 ? "running" : "done",
    left: Math.max(0, row.total - row.applied - row.failed - row.expired),
  });

export async function findRedelivery(workspaceId: WorkspaceId, id: string): Promise<RedeliveryProgress | null> {
  const { rows } = await pool().query<Row>(`${SELECT} WHERE r.workspace_id = $1 AND r.id = $2`, [workspaceId, id]);
  return rows[0] ? redeliveryOf(rows[0]) : null;
}

const CURSOR = new Cursor("redeliveries", { createdAt: "time", id: "id" });

export async function listRedeliveries(workspaceId: WorkspaceId, { limit, cursor }: Paging): Promise<Page<RedeliveryProgress>> {
  const after = CURSOR.decode(cursor);
  const { rows } = await pool().query<Row>(
    `${SELECT} WHERE r.workspace_id = $1 AND r.state <> 'held' AND ($2::timestamptz IS NULL OR (r.created_at, r.id) < ($2, $3))
     ORDER BY r.created_at DESC, r.id DESC LIMIT $4`,
    [workspaceId, after?.createdAt ?? null, after?.id ?? null, limit + 1],
  );
  return { data: rows.slice(0, limit).map(redeliveryOf), nextCursor: CURSOR.next(rows, limit) };
}

/** Lists the re-deliveries in which an event waits or was tried, newest first. */
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

/** Lists the next events of a frozen set in the log's order: at least one, and up to the limits. */
export const listRedeliveryItems = (
  workspaceId: WorkspaceId,
  id: string,
  after: LogPosition | null,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<LoggedEvent[]> =>
  queryRows<LoggedEvent>(
    pool(),
    `SELECT sized.* FROM (
       SELECT ${LOGGED_COLUMNS},
              sum(octet_length(e.body)) OVER next AS upto, row_number() OVER next AS n
         FROM (SELECT received_at, seq FROM redelivery_items WHERE redelivery_id = $2 AND workspace_id = $1
           AND ($3::timestamptz IS NULL OR (received_at, seq) > ($3, $4::bigint)) ORDER BY received_at, seq LIMIT $5) i
         JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq WINDOW next AS (ORDER BY e.received_at, e.seq)) sized
      WHERE n = 1 OR upto <= $6 ORDER BY n`,
    [workspaceId, id, after?.receivedAt.toISOString() ?? null, after?.seq ?? 0, limit, bytes],
  );

const EVENT_CURSOR = new Cursor("redelivery_events", { receivedAt: "time", seq: "integer" });

const CONDITIONS: FilterConditions<RedeliveryEventFilter> = { outcome: (outcome, bind) => `t.outcome = ${bind(outcome)}` };

type EventRow = Omit<RedeliveryEvent, "title" | "receivedAt"> & { receivedAt: Date; seq: number };

/** Lists the events of a re-delivery that the log still has, in the order of receipt. */
export async function listRedeliveryEvents(
  workspaceId: WorkspaceId,
  id: string,
  filter: RedeliveryEventFilter,
  { limit, cursor }: Paging,
): Promise<Page<RedeliveryEvent>> {
  const scope = { id, ...filter };
  const after = EVENT_CURSOR.decode(cursor, scope);
  const { values, bind } = new SqlValues(workspaceId, id);
  const where = conditionsOf(CONDITIONS, filter, bind);
  if (after) where.push(`(t."receivedAt", t.seq) > (${bind(after.receivedAt)}, ${bind(after.seq)})`);
  const { rows } = await pool().query<EventRow>(
    `SELECT * FROM (
       SELECT e.received_at AS "receivedAt", e.seq, e.event_id AS "eventId", e.type, a.failure_text AS failure,
              coalesce(a.outcome, CASE WHEN EXISTS (SELECT 1 FROM inbox b WHERE b.redelivery_id = i.redelivery_id
                AND b.received_at = i.received_at AND b.seq = i.seq) THEN 'waiting' ELSE 'not_tried' END) AS outcome
         FROM redelivery_items i JOIN events e ON e.received_at = i.received_at AND e.seq = i.seq
         LEFT JOIN LATERAL (SELECT outcome, failure_text FROM attempts a WHERE a.received_at = i.received_at AND a.seq = i.seq
           AND a.redelivery_id = i.redelivery_id AND a.outcome IN ('applied', 'failed') ORDER BY a.id DESC LIMIT 1) a ON true
        WHERE i.workspace_id = $1 AND i.redelivery_id = $2) t
     ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY t."receivedAt", t.seq LIMIT ${bind(limit + 1)}`,
    values,
  );
  const data = rows.slice(0, limit).map((row) => answered(redeliveryEvent, { ...row, title: titleOfType(row.type) }));
  return { data, nextCursor: EVENT_CURSOR.next(rows, limit, scope) };
}
