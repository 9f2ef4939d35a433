import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { recordsWithinBytes } from "#lib/db/within-bytes";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";

/** How far a reader of changes has come: the change and the id of the last view that it saw. */
export type ChangeCursor = { updatedAt: Date; viewId: string };

export type ChangedViews = {
  changed: { workspaceId: WorkspaceId; record: ViewRecord }[];
  cursor: ChangeCursor;
  /** True when more wait behind these. */
  more: boolean;
};

/** A transaction that has been open for longer holds nobody up. Its views are read when they change next. */
const LONGEST_TRANSACTION = "2 minutes";

/** The database shows when a transaction began a little after it did: after this time all do that began before. Milliseconds. */
const REPORTED_MS = 25;

/**
 * Before this moment nothing changes any more: `updated_at` is the start of the transaction that saved a view, so what
 * is younger than the oldest running transaction may still be joined by others.
 *
 * Asked before the statement that reads the views: a transaction that ended meanwhile is then visible to that one. In
 * one statement it would be neither running nor visible, and its views would be skipped.
 */
async function findSettledMoment(): Promise<string> {
  const began = await pool("worker").query<{ now: string }>("SELECT now()::text AS now");
  await sleep(REPORTED_MS);
  const { rows } = await pool("worker").query<{ until: string }>(
    `SELECT (greatest(now() - interval '${LONGEST_TRANSACTION}', least($1::timestamptz, min(xact_start))) - interval '1 ms')::text AS until
      FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    [began.rows[0]?.now],
  );
  return rows[0]?.until ?? "-infinity";
}

/**
 * Views of all workspaces that changed after a cursor, in the order of their
 * change, up to a moment before which no more can come: no change is skipped.
 * It loads at most 16 MB of records, but one at least.
 *
 * @param kinds others are passed over
 */
export async function listChangedViews(kinds: ViewKind[], after: ChangeCursor, limit: number): Promise<ChangedViews> {
  const until = await findSettledMoment();
  const { rows: found } = await pool("worker").query<{
    workspace_id: WorkspaceId;
    kind: ViewKind;
    id: string;
    registers: Registers | null;
    updated_at: Date;
  }>(
    `${recordsWithinBytes(
      `SELECT v.workspace_id, v.kind, v.id, CASE WHEN v.kind = ANY($5::text[]) THEN v.registers ELSE '{}' END AS registers, v.updated_at
       FROM views v WHERE (v.updated_at, v.id) > ($1, $2) AND v.updated_at < $4::timestamptz
       ORDER BY v.updated_at, v.id LIMIT $3`,
      "workspace_id, kind, id, updated_at",
      "updated_at, id, kind, workspace_id",
    )} ORDER BY updated_at, id, kind, workspace_id`,
    [after.updatedAt, after.viewId, limit, until, kinds],
  );
  // Those that did not fit come last, and are read by the next call.
  const rows = found.flatMap(({ registers, ...row }) => (registers ? [{ ...row, registers }] : []));
  const last = rows.at(-1);
  return {
    changed: rows
      .filter(({ kind }) => kinds.includes(kind))
      .map((row) => ({ workspaceId: row.workspace_id, record: storedRecordOf(row.kind, row.id, row.registers) })),
    cursor: last ? { updatedAt: last.updated_at, viewId: last.id } : after,
    more: found.length === limit || rows.length < found.length,
  };
}
