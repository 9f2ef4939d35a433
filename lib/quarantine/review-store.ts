import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { DismissalFilter, RestorationFilter } from "#lib/contracts/quarantine";
import type { QuarantineCauseFilter } from "#lib/contracts/quarantine-filters";
import { bodiesWithinBytes } from "#lib/db/bounded-query";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { countChanged, queryCount } from "#lib/db/rows";
import { conditionsOf, type FilterConditions, SqlValues } from "#lib/db/sql";
import { holdDiagnoses } from "./diagnosis-store.ts";
import { IDS_CONDITION, QUARANTINE_CAUSE_CONDITIONS, QUARANTINE_COLUMNS, type QuarantinedRequest } from "./quarantine-store.ts";

const RELEASE_CURSOR = new Cursor("quarantine_releases", { receivedAt: "time", id: "id" });

type ReleaseFilter = QuarantineCauseFilter & { ids?: string[] | undefined };

const CONDITIONS: FilterConditions<ReleaseFilter> = { ...QUARANTINE_CAUSE_CONDITIONS, ids: IDS_CONDITION };

/** A release of many leaves dismissed requests alone; their own page can release them. */
const WAITS = ["q.workspace_id = $1", "q.released_at IS NULL", "q.dismissed_at IS NULL"];

type ReleasePage = {
  /** Requests per call, within 16 MB of bodies; a single larger one is read alone. */
  limit: number;
  cursor?: string | undefined;
  /** ISO 8601. Requests after the release was asked for may be held for a reason of their own. */
  receivedUntil?: string | undefined;
};

/** Lists open requests with bodies, oldest first, as events keep their order. `lock` skips rows that another release holds. */
export async function listUnreleased(
  from: Connection,
  workspaceId: WorkspaceId,
  filter: ReleaseFilter,
  { limit, cursor, receivedUntil }: ReleasePage,
  { lock }: { lock: boolean },
): Promise<Page<QuarantinedRequest>> {
  const after = RELEASE_CURSOR.decode(cursor, filter);
  if (lock) await holdDiagnoses(from, workspaceId);
  const { values, bind } = new SqlValues(workspaceId);
  const where = [...WAITS, ...conditionsOf(CONDITIONS, filter, bind)];
  if (receivedUntil !== undefined) where.push(`q.received_at <= ${bind(receivedUntil)}`);
  if (after) where.push(`(q.received_at, q.id) > (${bind(after.receivedAt)}, ${bind(after.id)})`);
  const { rows } = await from.query<QuarantinedRequest & { candidates: number }>(
    bodiesWithinBytes(
      `SELECT ${QUARANTINE_COLUMNS}, q.body FROM quarantine q JOIN sources s ON s.id = q.source_id
       WHERE ${where.join(" AND ")}
       ORDER BY q.received_at, q.id LIMIT ${bind(limit + 1)} ${lock ? "FOR UPDATE OF q SKIP LOCKED" : ""}`,
      '"receivedAt", id',
    ),
    values,
  );
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = data.length < (rows[0]?.candidates ?? 0);
  return { data, nextCursor: more && last ? RELEASE_CURSOR.encode(last, filter) : null };
}

export async function countUnreleased(workspaceId: WorkspaceId, filter: ReleaseFilter, receivedUntil?: string): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = [...WAITS, ...conditionsOf(CONDITIONS, filter, bind)];
  if (receivedUntil !== undefined) where.push(`q.received_at <= ${bind(receivedUntil)}`);
  return queryCount<{ count: number }>(
    pool(),
    `SELECT count(*) FROM quarantine q JOIN sources s ON s.id = q.source_id WHERE ${where.join(" AND ")}`,
    values,
  );
}

/** Locks one request until the transaction ends, so that two releases of it follow each other. */
export async function lockQuarantined(client: pg.PoolClient, workspaceId: WorkspaceId, id: string): Promise<void> {
  await client.query("SELECT 1 FROM quarantine WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [workspaceId, id]);
}

export async function markReleased(client: pg.PoolClient, workspaceId: WorkspaceId, ids: string[], by: string): Promise<void> {
  await client.query(
    "UPDATE quarantine SET released_at = now(), released_by = $3 WHERE workspace_id = $1 AND id = ANY($2) AND released_at IS NULL",
    [workspaceId, ids, by],
  );
}

const DISMISSED: FilterConditions<DismissalFilter> = { ...QUARANTINE_CAUSE_CONDITIONS, ids: IDS_CONDITION };

const RESTORED: FilterConditions<RestorationFilter> = { ids: IDS_CONDITION, dismissal: (id, bind) => `q.dismissal_id = ${bind(id)}` };

/** @param dismissal ID that undoes all of it at once */
export async function markDismissed(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  filter: DismissalFilter,
  { dismissal, by }: { dismissal: string; by: string },
): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId, by, dismissal);
  const where = ["q.released_at IS NULL", "q.dismissed_at IS NULL", ...conditionsOf(DISMISSED, filter, bind)];
  return countChanged(
    client,
    `UPDATE quarantine q SET dismissed_at = now(), dismissed_by = $2, dismissal_id = $3 FROM sources s
      WHERE q.workspace_id = $1 AND s.id = q.source_id AND ${where.join(" AND ")}`,
    values,
  );
}

/** Undoes a dismissal, or that of single requests. Requests released meanwhile stay released. */
export async function markRestored(client: pg.PoolClient, workspaceId: WorkspaceId, filter: RestorationFilter): Promise<number> {
  const { values, bind } = new SqlValues(workspaceId);
  const where = ["q.released_at IS NULL", "q.dismissed_at IS NOT NULL", ...conditionsOf(RESTORED, filter, bind)];
  return countChanged(
    client,
    `UPDATE quarantine q SET dismissed_at = NULL, dismissed_by = NULL, dismissal_id = NULL WHERE q.workspace_id = $1 AND ${where.join(" AND ")}`,
    values,
  );
}
