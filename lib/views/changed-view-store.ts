import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { recordOf } from "./fold.ts";
import type { Registers } from "./register.ts";

/** How far a reader of changes has come: the change and the id of the last view that it saw. */
export type ChangeCursor = { updatedAt: Date; viewId: string };

export type ChangedViews = {
  changed: { workspaceId: WorkspaceId; record: ViewRecord }[];
  cursor: ChangeCursor;
  /** True when more wait behind these. */
  more: boolean;
};

/** A transaction that has been open for longer holds nobody up. Its views are read when they change next. */
const PATIENCE = "2 minutes";

/**
 * Views of all workspaces that changed after a cursor, in the order of their
 * change. `updated_at` is the begin of the transaction that saved them, so what
 * is younger than the oldest running transaction may still be joined by others
 * and waits: no change is skipped.
 *
 * @param kinds others are passed over
 */
export async function listChangedViews(kinds: ViewKind[], after: ChangeCursor, limit: number): Promise<ChangedViews> {
  const { rows } = await pool("worker").query<{
    workspace_id: WorkspaceId;
    kind: ViewKind;
    id: string;
    registers: Registers;
    updated_at: Date;
  }>(
    `WITH settled AS (
       SELECT greatest(now() - interval '${PATIENCE}', least(now(), min(xact_start))) - interval '1 ms' AS until FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid())
     SELECT v.workspace_id, v.kind, v.id, v.registers, v.updated_at FROM views v
      WHERE (v.updated_at, v.id) > ($1, $2) AND v.updated_at < (SELECT until FROM settled)
      ORDER BY v.updated_at, v.id LIMIT $3`,
    [after.updatedAt, after.viewId, limit],
  );
  const last = rows.at(-1);
  return {
    changed: rows
      .filter(({ kind }) => kinds.includes(kind))
      .map((row) => ({ workspaceId: row.workspace_id, record: recordOf(row.kind, row.id, row.registers) })),
    cursor: last ? { updatedAt: last.updated_at, viewId: last.id } : after,
    more: rows.length === limit,
  };
}
