import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import type { Operation, OperationKind, OperationState } from "#lib/contracts/operations";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { countChanged, queryRow, queryValue } from "#lib/db/rows";

/** Re-deliveries are the inbox's: it knows how far they have come. */
export type StoredKind = Exclude<OperationKind, "redelivery">;

export type StoredOperation = Operation & { kind: StoredKind; dryRun: boolean; input: unknown; report: unknown };

/** After this long without a heartbeat, its process counts as dead. */
const SILENCE = "60 seconds";
/** An export waits this long for its download. */
const READER = "10 minutes";

/** State as it really is: what a dead process ran waits for the next one, but an export has ended. `done` is the older name of finished. */
const STATE = `CASE
    WHEN state = 'done' THEN 'finished'
    WHEN kind = 'export' AND (state = 'running' AND beat_at < now() - interval '${SILENCE}'
      OR state = 'queued' AND created_at < now() - interval '${READER}') THEN 'stopped'
    WHEN state = 'running' AND beat_at < now() - interval '${SILENCE}' THEN 'queued'
    ELSE state END`;

const ROW = {
  id: column<string>(),
  kind: column<StoredKind>(),
  state: column<OperationState>(STATE),
  dryRun: column<boolean>(),
  phase: column<string | null>(),
  done: column<number>(),
  total: column<number>(),
  counts: column<Record<string, number>>(),
  input: column<unknown>(),
  report: column<unknown>(),
  failure: column<string | null>(),
  requestedBy: column<string | null>(),
  createdAt: column<Date>(),
  startedAt: column<Date | null>(),
  finishedAt: column<Date | null>(),
};

type Row = RowOf<typeof ROW>;

const COLUMNS = columnsSql(ROW);

const operationOf = ({ total, createdAt, startedAt, finishedAt, ...row }: Row): StoredOperation => ({
  ...row,
  total: total === 0 ? null : total,
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
  canStop: row.state === "queued" || row.state === "running",
  canResume: row.kind !== "export" && (row.state === "stopped" || row.state === "failed"),
});

export type ClaimedOperation = Pick<Row, "id" | "kind" | "dryRun" | "input" | "requestedBy" | "done" | "total" | "counts"> & {
  workspaceId: WorkspaceId;
  /** By the database's clock. */
  createdAt: string;
  /** Where it continues, when another process began it. */
  checkpoint: unknown;
};

const KEPT = 20;
const PREFIXES: Record<StoredKind, string> = { rebuild: "reb", release: "rel", export: "exp", retry: "rty", relearn: "lrn" };

type NewOperation = {
  kind: StoredKind;
  requestedBy: string;
  dryRun?: boolean;
  input?: object;
  /** Process that runs it at once; absent to leave it to a worker. */
  runner?: string | null;
};

/** Queues an operation, or returns the one of its kind that waits or runs (`busy`); with `behind`, it begins when the other has ended. */
export async function insertOperation(
  workspaceId: WorkspaceId,
  operation: NewOperation & { kind: Exclude<StoredKind, "export">; behind?: boolean },
  within?: pg.PoolClient,
): Promise<{ outcome: "started" | "busy"; operation: StoredOperation }> {
  if (!within) return inTransaction(pool(), (client) => insertOperation(workspaceId, operation, client));
  const busy = await findBusy(within, workspaceId, operation.kind);
  if (busy && !operation.behind) return { outcome: "busy", operation: busy };
  return { outcome: "started", operation: await insert(within, workspaceId, operation) };
}

/** Exports of one person or key that wait or run. */
export const MAX_EXPORTS = 5;

/** Returns null when the person has as many exports as one may have. */
export async function insertExport(
  workspaceId: WorkspaceId,
  operation: Pick<NewOperation, "requestedBy" | "input" | "runner">,
): Promise<StoredOperation | null> {
  return inTransaction(pool(), async (client) => {
    await lockKind(client, workspaceId, "export");
    const { rows } = await client.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM operations WHERE workspace_id = $1 AND kind = 'export' AND requested_by = $2 AND ${STATE} IN ('queued', 'running')`,
      [workspaceId, operation.requestedBy],
    );
    return (rows[0]?.open ?? 0) >= MAX_EXPORTS ? null : insert(client, workspaceId, { kind: "export", ...operation });
  });
}

/** Returns null for exports, which don't get in each other's way. */
async function findBusy(client: pg.PoolClient, workspaceId: WorkspaceId, kind: StoredKind): Promise<StoredOperation | null> {
  if (kind === "export") return null;
  await lockKind(client, workspaceId, kind);
  const { rows } = await client.query<Row>(
    `SELECT ${COLUMNS} FROM operations WHERE workspace_id = $1 AND kind = $2 AND state IN ('queued', 'running') LIMIT 1`,
    [workspaceId, kind],
  );
  return rows[0] ? operationOf(rows[0]) : null;
}

/** Lets one caller at a time queue an operation of a kind in a workspace; others wait here. */
async function lockKind(client: pg.PoolClient, workspaceId: WorkspaceId, kind: StoredKind): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtext('operations ' || $2), hashtext($1))", [workspaceId, kind]);
}

async function insert(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { kind, requestedBy, dryRun = false, input = {}, runner = null }: NewOperation,
): Promise<StoredOperation> {
  await client.query(
    `DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE workspace_id = $1 AND kind = $2 AND ${STATE} NOT IN ('queued', 'running')
       ORDER BY created_at DESC OFFSET ${KEPT})`,
    [workspaceId, kind],
  );
  const { rows } = await client.query<Row>(
    `INSERT INTO operations (id, workspace_id, kind, state, dry_run, input, requested_by, runner, started_at, beat_at, claims)
     VALUES ($1, $2, $3, CASE WHEN $7::text IS NULL THEN 'queued' ELSE 'running' END, $4, $5, $6, $7,
       CASE WHEN $7::text IS NOT NULL THEN now() END, CASE WHEN $7::text IS NOT NULL THEN now() END,
       CASE WHEN $7::text IS NOT NULL THEN 1 ELSE 0 END)
     RETURNING ${COLUMNS}`,
    [newId(PREFIXES[kind]), workspaceId, kind, dryRun, JSON.stringify(input), requestedBy, runner],
  );
  const [row] = rows;
  if (!row) throw new Error("the operation was not inserted");
  return operationOf(row);
}

export async function findOperation(workspaceId: WorkspaceId, id: string): Promise<StoredOperation | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM operations WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]);
  return rows[0] ? operationOf(rows[0]) : null;
}

const CURSOR = new Cursor("operations", { createdAt: "time", id: "id" });

export async function listOperations(
  workspaceId: WorkspaceId,
  kind: StoredKind,
  { limit, cursor }: Paging,
): Promise<Page<StoredOperation>> {
  const after = CURSOR.decode(cursor, { kind });
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM operations
      WHERE workspace_id = $1 AND kind = $2 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))
      ORDER BY created_at DESC, id DESC LIMIT $5`,
    [workspaceId, kind, after?.createdAt ?? null, after?.id ?? null, limit + 1],
  );
  return { data: rows.slice(0, limit).map(operationOf), nextCursor: CURSOR.next(rows, limit, { kind }) };
}

export const stopAll = (client: pg.ClientBase, reason: string): Promise<number> =>
  countChanged(client, "UPDATE operations SET state = 'stopped', failure = $1, finished_at = now() WHERE state IN ('queued', 'running')", [
    reason,
  ]);

/** Returns how the last such operation ended, and why if no person ended it; null without one, or while it runs. */
export async function findLastEnd(
  workspaceId: WorkspaceId,
  kind: StoredKind,
  requestedBy: string,
): Promise<{ state: OperationState; finishedAt: Date; failure: string | null } | null> {
  const last = await prisma().operation.findFirst({
    where: { workspaceId, kind, requestedBy },
    select: { state: true, finishedAt: true, failure: true },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
  });
  return last?.finishedAt ? { ...last, state: last.state as OperationState, finishedAt: last.finishedAt } : null;
}

/** Stops a waiting operation at once, and asks a running one to stop. Returns the state before; null without one. */
export async function requestStop(workspaceId: WorkspaceId, id: string): Promise<OperationState | null> {
  return change(
    workspaceId,
    id,
    `stop_requested = before.state IN ('queued', 'running'),
     finished_at = CASE WHEN before.waits THEN now() ELSE o.finished_at END,
     state = CASE WHEN before.waits THEN 'stopped' ELSE o.state END`,
  );
}

/** Queues a stopped or failed operation again. Returns the state before, `busy` while another of its kind runs, null without one. */
export async function requeueOperation(workspaceId: WorkspaceId, id: string): Promise<OperationState | "busy" | null> {
  return inTransaction(pool(), async (client) => {
    const found = await prisma(client).operation.findFirst({ where: { workspaceId, id }, select: { kind: true } });
    if (!found) return null;
    const busy = await findBusy(client, workspaceId, found.kind as StoredKind);
    if (busy && busy.id !== id) return "busy";
    return change(
      workspaceId,
      id,
      `stop_requested = false, claims = 0, failure = NULL,
       finished_at = CASE WHEN before.state IN ('stopped', 'failed') THEN NULL ELSE o.finished_at END,
       state = CASE WHEN before.state IN ('stopped', 'failed') THEN 'queued' ELSE o.state END`,
      client,
    );
  });
}

const change = (workspaceId: WorkspaceId, id: string, set: string, from: Connection = pool()): Promise<OperationState | null> =>
  queryValue<{ state: OperationState }>(
    from,
    `WITH before AS (SELECT id, state, state = 'queued' OR (state = 'running' AND beat_at < now() - interval '${SILENCE}') AS waits FROM operations WHERE workspace_id = $1 AND id = $2 FOR UPDATE)
     UPDATE operations o SET ${set} FROM before WHERE o.id = before.id
     RETURNING CASE before.state WHEN 'done' THEN 'finished' ELSE before.state END AS state`,
    [workspaceId, id],
  );

/** An operation is begun this often at the most, if each process that runs it dies. */
const MAX_CLAIMS = 3;

const GIVEN_UP = `The worker running it exited ${MAX_CLAIMS} times before finishing, most likely because it ran out of memory. Give the worker more memory, then resume it.`;

const IS_LEFT = `state = 'running' AND beat_at < now() - interval '${SILENCE}'`;

const CLAIM = `state = 'running', runner = $1, beat_at = now(), started_at = now(), claims = claims + 1`;
const CLAIMED = `id, workspace_id AS "workspaceId", kind, dry_run AS "dryRun", input, requested_by AS "requestedBy", created_at::text AS "createdAt", done, total, counts, checkpoint`;

/** Claims the oldest operation of a kind that waits, or that its process left, where none of it runs. Operations of any kind that were left
 * for the third time fail, and those to be stopped are stopped. */
export const claimOperation = (kind: StoredKind, runner: string): Promise<ClaimedOperation | null> =>
  queryRow<ClaimedOperation>(
    pool("worker"),
    `WITH ended AS (
       UPDATE operations SET state = CASE WHEN stop_requested THEN 'stopped' ELSE 'failed' END,
         failure = CASE WHEN stop_requested THEN NULL ELSE $4 END, finished_at = now()
       WHERE kind <> 'export' AND ${IS_LEFT} AND (claims >= $3 OR stop_requested))
     UPDATE operations SET ${CLAIM}, phase = NULL
     WHERE id = (SELECT id FROM operations o
       WHERE kind = $2 AND (state = 'queued' OR (${IS_LEFT} AND claims < $3 AND NOT stop_requested))
         AND (kind = 'export' OR NOT EXISTS (SELECT 1 FROM operations r WHERE r.workspace_id = o.workspace_id AND r.kind = o.kind AND r.id <> o.id
           AND r.state = 'running' AND r.beat_at >= now() - interval '${SILENCE}'))
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${CLAIMED}`,
    [runner, kind, MAX_CLAIMS, GIVEN_UP],
  );

/** Claims this one while it waits; null otherwise. An export waits only so long. */
export const claimById = (workspaceId: WorkspaceId, id: string, kind: StoredKind, runner: string): Promise<ClaimedOperation | null> =>
  queryRow<ClaimedOperation>(
    pool(),
    `UPDATE operations SET ${CLAIM} WHERE workspace_id = $2 AND id = $3 AND kind = $4 AND state = 'queued'
       AND (kind <> 'export' OR created_at > now() - interval '${READER}')
     RETURNING ${CLAIMED}`,
    [runner, workspaceId, id, kind],
  );

export type OperationProgress = {
  phase?: string | null;
  done: number;
  /** 0 while it is not known. */
  total: number;
  counts?: Record<string, number>;
  /** Point from which another process would continue. */
  checkpoint?: unknown;
};

const PROGRESS = `phase = $3, done = $4, total = $5, counts = coalesce($6::jsonb, counts), checkpoint = coalesce($7::jsonb, checkpoint)`;
const progressValues = ({ phase = null, done, total, counts, checkpoint }: OperationProgress) => [
  phase,
  done,
  total,
  counts && JSON.stringify(counts),
  checkpoint === undefined ? null : JSON.stringify(checkpoint),
];
const MINE = "id = $1 AND runner = $2 AND state = 'running'";

/** Reports progress; without any, what was noted stays. Returns false when it is to stop, or another process has taken it over. */
export async function beat(id: string, runner: string, progress?: OperationProgress): Promise<boolean> {
  const { rows } = await pool("worker").query<{ stop_requested: boolean }>(
    `UPDATE operations SET beat_at = now()${progress ? `, ${PROGRESS}` : ""} WHERE ${MINE} RETURNING stop_requested`,
    [id, runner, ...(progress ? progressValues(progress) : [])],
  );
  return rows[0]?.stop_requested === false;
}

/** Another process has the operation now, or it has ended: nothing more may be written. */
class OperationTakenOver extends Error {
  override name = "OperationTakenOver";
  override message = "another process has taken the operation over, or it was stopped";
}

/** A process that is stopped within a piece loses it before another process may take the operation over (SILENCE). */
const PIECE_LIMIT = "50s";

/** Checks in a transaction that writes elsewhere, or is repeatable read, that this process has the operation. @throws OperationTakenOver */
export async function expectMine(client: pg.PoolClient, id: string, runner: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM operations WHERE ${MINE}`, [id, runner]);
  if (!rowCount) throw new OperationTakenOver();
}

/** Does a piece of work and records the progress in one transaction: both or neither. @throws OperationTakenOver */
export async function commitPiece(id: string, runner: string, piece: (client: pg.PoolClient) => Promise<OperationProgress>): Promise<void> {
  await inTransaction(pool("worker"), async (client) => {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${PIECE_LIMIT}'`);
    const progress = await piece(client);
    // The row stays locked until the commit: nobody takes the operation over in between.
    const { rowCount } = await client.query(`UPDATE operations SET beat_at = now(), ${PROGRESS} WHERE ${MINE}`, [
      id,
      runner,
      ...progressValues(progress),
    ]);
    if (!rowCount) throw new OperationTakenOver();
  });
}

export type OperationEnd = { outcome: "finished"; report?: unknown } | { outcome: "stopped" } | { outcome: "failed"; failure: string };

/** Records the end. One that had to stop without being asked goes back to the queue; an export can't. */
export async function finishOperation(id: string, runner: string, end: OperationEnd): Promise<void> {
  const back = "$3 = 'stopped' AND NOT stop_requested AND kind <> 'export'";
  await pool("worker").query(
    `UPDATE operations SET report = $4, failure = $5,
       state = CASE WHEN ${back} THEN 'queued' ELSE $3 END,
       finished_at = CASE WHEN ${back} THEN NULL ELSE now() END,
       claims = CASE WHEN ${back} THEN 0 ELSE claims END
     WHERE ${MINE}`,
    [
      id,
      runner,
      end.outcome === "finished" ? "done" : end.outcome, // as the release before reads it
      end.outcome === "finished" && end.report !== undefined ? JSON.stringify(end.report) : null,
      end.outcome === "failed" ? end.failure : null,
    ],
  );
}
