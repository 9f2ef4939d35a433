import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { isLockConflict } from "#lib/db/locks";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import { mergeRecords } from "#lib/views/fold/fold";
import type { Registers } from "./fold/register.ts";
import { FOLDED_COLUMNS, foldedParameters, foldedSql, foldedValues, repaired, storedRecordOf } from "./stored-record.ts";

export type ViewKey = { workspaceId: WorkspaceId; kind: ViewKind; id: string };

export type FoldedView = ViewKey & { registers: Registers };

export const viewKeyText = ({ workspaceId, kind, id }: ViewKey): string => `${workspaceId} ${kind} ${id}`;

/** A view `v` by its key `u`. Only the primary key serves it: with old statistics the planner takes a list's index, ten times slower. */
const KEY = "v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM u.w";

const columnsOf = (keys: ViewKey[]) => arraysOf(keys, "workspaceId", "kind", "id");

/** By `viewKeyText`; null for one that is still to be loaded (`findLocked`). */
type LockedViews = Map<string, Registers | null>;

type LockedRow = ViewKey & { registers: Registers | null };

const KEYED = `SELECT v.workspace_id AS "workspaceId", v.kind, v.id, v.registers FROM views v
  JOIN unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i) ON ${KEY}`;

const COLUMNS = '"workspaceId", kind, id';

const lockedOf = (rows: LockedRow[]): LockedViews =>
  new Map(rows.map(({ registers, ...key }) => [viewKeyText(key), registers && repaired(key.kind, registers)]));

/** Keys without a view, in the order in which every writer makes and locks them. */
const ABSENT = `SELECT w AS "workspaceId", k AS kind, i AS id FROM unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i)
  WHERE NOT EXISTS (SELECT FROM views v WHERE ${KEY}) ORDER BY w, k, i`;

/** Inserts whole new views (made empty and updated, each is written twice), in key order before any is locked, against deadlocks. */
export async function insertNewViews(client: pg.PoolClient, views: FoldedView[]): Promise<FoldedView[]> {
  const { rows: absent } = await client.query<ViewKey>({ name: "views-absent", text: ABSENT, values: columnsOf(views) });
  if (absent.length === 0) return views;
  const byKey = new Map(views.map((view) => [viewKeyText(view), view]));
  const made = absent.flatMap((key) => byKey.get(viewKeyText(key)) ?? []);
  // Not sorted by the statement: that would copy every record. unnest keeps the order of its arrays.
  const { rows: inserted } = await client.query<ViewKey>({
    name: "views-insert",
    text: `INSERT INTO views (workspace_id, kind, id, ${FOLDED_COLUMNS.join(", ")}, changed_xid)
      SELECT w, k, i, ${FOLDED_COLUMNS.map(foldedSql).join(", ")}, (SELECT log_position())
      FROM unnest($1::text[], $2::text[], $3::text[], ${foldedParameters(4)}) AS u(w, k, i, ${FOLDED_COLUMNS.join(", ")})
      ON CONFLICT DO NOTHING RETURNING workspace_id AS "workspaceId", kind, id`,
    values: [...columnsOf(made), ...foldedValues(made)],
  });
  for (const key of inserted) byKey.delete(viewKeyText(key));
  return [...byKey.values()];
}

/** Locks views in key order, so that workers don't deadlock. Loads as many of the first as 16 MB hold, at least one. */
export async function lockViews(client: pg.PoolClient, keys: ViewKey[]): Promise<LockedViews> {
  const rows = await queryRows<LockedRow>(client, {
    name: "views-lock",
    text: `WITH locked AS MATERIALIZED (${KEYED} ORDER BY v.workspace_id, v.kind, v.id FOR UPDATE OF v)
      ${recordsWithinBytes("SELECT * FROM locked", COLUMNS, COLUMNS)}`,
    values: columnsOf(keys),
  });
  return lockedOf(rows);
}

/** Loads the next of the views that `lockViews` has locked, as many as 16 MB hold, at least one. */
export async function findLocked(client: pg.PoolClient, keys: ViewKey[]): Promise<LockedViews> {
  return lockedOf(await queryRows<LockedRow>(client, recordsWithinBytes(KEYED, COLUMNS, COLUMNS), columnsOf(keys)));
}

/** All views are locked at once: the table is being compacted or indexed. */
export class ViewsLocked extends Error {}

const BY_KEY = `SELECT v.workspace_id AS "workspaceId", v.kind, v.id, v.xmax FROM views v
  JOIN unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i) ON ${KEY}`;

/** SQL of rows that aren't free and whose transaction isn't known to be young: one of ours may be older. */
const HELD = `WITH free AS MATERIALIZED (${BY_KEY} FOR UPDATE OF v SKIP LOCKED)
  SELECT t."workspaceId", t.kind, t.id FROM (${BY_KEY}) t
  WHERE NOT EXISTS (SELECT 1 FROM free f WHERE (f.id, f.kind, f."workspaceId") = (t.id, t.kind, t."workspaceId"))
    AND EXISTS (SELECT 1 FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock' AND l.transactionid = t.xmax
        AND (a.xact_start > clock_timestamp()
          - make_interval(secs => CASE WHEN a.application_name LIKE 'signalbox-%' THEN $5::float8 ELSE $4::float8 END)) IS NOT TRUE)`;

/** Returns views that others have locked for longer than `long` (ms), or unknown. Waits for the table only. @throws ViewsLocked */
export async function findHeldViews(client: pg.PoolClient, keys: ViewKey[], long: { others: number; ours: number }): Promise<Set<string>> {
  await client.query("LOCK TABLE views IN ROW EXCLUSIVE MODE").catch((error: Error) => {
    throw isLockConflict(error) ? new ViewsLocked(error.message, { cause: error }) : error;
  });
  await client.query("SAVEPOINT look");
  const { rows } = await client.query<ViewKey>(HELD, [...columnsOf(keys), long.others / 1000, long.ours / 1000]);
  // Locked out of order: they must not be held while others are waited for.
  await client.query("ROLLBACK TO SAVEPOINT look");
  return new Set(rows.map(viewKeyText));
}

/** Writes folded views back, in the transaction that locked them. */
export async function saveViews(client: pg.PoolClient, views: FoldedView[]): Promise<void> {
  await client.query({
    name: "views-save",
    text: `UPDATE views v SET ${FOLDED_COLUMNS.map((name) => `${name} = ${foldedSql(name)}`).join(", ")}, updated_at = now(),
        changed_xid = (SELECT log_position())
      FROM unnest($1::text[], $2::text[], $3::text[], ${foldedParameters(4)}) AS u(w, k, i, ${FOLDED_COLUMNS.join(", ")})
      WHERE ${KEY}`,
    values: [...columnsOf(views), ...foldedValues(views)],
  });
}

export async function findView(workspaceId: WorkspaceId, kind: ViewKind, id: string): Promise<ViewRecord | null> {
  const { rows } = await pool().query<{ registers: Registers }>(
    "SELECT registers FROM views WHERE workspace_id = $1 AND kind = $2 AND id = $3",
    [workspaceId, kind, id],
  );
  return rows[0] ? storedRecordOf(kind, id, rows[0].registers) : null;
}

export async function findRegisters(keys: ViewKey[]): Promise<Map<string, Registers>> {
  const rows = await queryRows<FoldedView>(pool(), KEYED, columnsOf(keys));
  return new Map(rows.map((row) => [viewKeyText(row), repaired(row.kind, row.registers)]));
}

/** The last change that was read: its position, and the view's ID, kind and workspace. */
export type ChangeCursor = { xid: string; key: string[] };

export type ChangedViews = {
  changed: { workspaceId: WorkspaceId; record: ViewRecord }[];
  cursor: ChangeCursor;
  more: boolean;
  /** Every change below this position was there to be read. */
  settled: string;
};

type Row = { workspace_id: WorkspaceId; kind: ViewKind; id: string; registers: Registers | null; xid: string };

/** Nothing changes below this position. Asked before the views are read: a change that ends in between is read by the next call. */
export async function findSettledPosition(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ settled: string }>("SELECT settled_position()::text AS settled");
  return rows[0]?.settled ?? "0";
}

/** Lists changes in the order of transactions, up to the first open one: none is skipped, whatever clocks say. Loads at most 16 MB. */
export async function listChangedViews(client: pg.ClientBase, kinds: ViewKind[], from: ChangeCursor, limit: number): Promise<ChangedViews> {
  const settled = await findSettledPosition(client);
  const after = BigInt(from.xid) <= BigInt(settled) ? from : { xid: "0", key: [] };
  const [id = "", kind = "", workspaceId = ""] = after.key;
  const { rows: found } = await client.query<Row>(
    `${recordsWithinBytes(
      `SELECT v.workspace_id, v.kind, v.id, CASE WHEN v.kind = ANY($7::text[]) THEN v.registers ELSE '{}' END AS registers, v.changed_xid AS xid
       FROM views v WHERE (v.changed_xid, v.id, v.kind, v.workspace_id) > ($1::xid8, $2, $3, $4) AND v.changed_xid < $6::xid8
       ORDER BY v.changed_xid, v.id, v.kind, v.workspace_id LIMIT $5`,
      "workspace_id, kind, id, xid::text AS xid",
      "xid, id, kind, workspace_id",
    )} ORDER BY b.xid, id, kind, workspace_id`,
    [after.xid, id, kind, workspaceId, limit, settled, kinds],
  );
  // Rows that did not fit come last, and are read by the next call.
  const rows = found.flatMap(({ registers, ...row }) => (registers ? [{ ...row, registers }] : []));
  const last = rows.at(-1);
  return {
    changed: rows
      .filter((row) => kinds.includes(row.kind))
      .map((row) => ({ workspaceId: row.workspace_id, record: storedRecordOf(row.kind, row.id, row.registers) })),
    cursor: last ? { xid: last.xid, key: [last.id, last.kind, last.workspace_id] } : after,
    more: found.length === limit || rows.length < found.length,
    settled,
  };
}

/** Merges folds (one a record) into the views. Each record is written once; no more than 16 MB of stored ones are in memory. */
export async function mergeIntoViews(client: pg.PoolClient, folds: FoldedView[]): Promise<void> {
  if (folds.length === 0) return;
  let left = await insertNewViews(client, folds);
  if (left.length === 0) return;
  for (let stored = await lockViews(client, left); ; stored = await findLocked(client, left)) {
    const merged: FoldedView[] = [];
    const waiting: FoldedView[] = [];
    for (const fold of left) {
      const before = stored.get(viewKeyText(fold));
      if (before) merged.push({ ...fold, registers: mergeRecords(fold.kind, before, fold.registers) });
      else waiting.push(fold);
    }
    if (merged.length === 0) throw new Error("a locked view is gone");
    await saveViews(client, merged);
    if (waiting.length === 0) return;
    left = waiting;
  }
}
