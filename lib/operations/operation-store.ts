import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { OperationState } from "#lib/contracts/operations";
import { Cursor } from "#lib/db/cursor";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { COLUMNS, operationOf, type Row, SILENCE, STATE, type StoredKind, type StoredOperation } from "./operation-record.ts";

const KEPT = 20;
const PREFIXES: Record<StoredKind, string> = { rebuild: "reb", release: "rel", export: "exp", retry: "rty" };

export type NewOperation = {
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
  { limit, cursor }: { limit: number; cursor?: string | undefined },
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

export async function stopAll(client: pg.ClientBase, reason: string): Promise<number> {
  const { rowCount } = await client.query(
    "UPDATE operations SET state = 'stopped', failure = $1, finished_at = now() WHERE state IN ('queued', 'running')",
    [reason],
  );
  return rowCount ?? 0;
}

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

async function change(
  workspaceId: WorkspaceId,
  id: string,
  set: string,
  from: pg.Pool | pg.PoolClient = pool(),
): Promise<OperationState | null> {
  const { rows } = await from.query<{ state: OperationState }>(
    `WITH before AS (SELECT id, state, state = 'queued' OR (state = 'running' AND beat_at < now() - interval '${SILENCE}') AS waits FROM operations WHERE workspace_id = $1 AND id = $2 FOR UPDATE)
     UPDATE operations o SET ${set} FROM before WHERE o.id = before.id
     RETURNING CASE before.state WHEN 'done' THEN 'finished' ELSE before.state END AS state`,
    [workspaceId, id],
  );
  return rows[0]?.state ?? null;
}
