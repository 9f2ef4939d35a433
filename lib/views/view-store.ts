import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { recordOf } from "./fold.ts";
import type { Registers } from "./register.ts";
import { FOLDED_COLUMNS, foldedParameters, foldedValues } from "./view-columns.ts";

/** The key of one view. */
export type ViewKey = { workspaceId: WorkspaceId; kind: ViewKind; id: string };

/** A view with the registers it has just been given. */
export type FoldedView = ViewKey & { registers: Registers };

export const viewKeyText = ({ workspaceId, kind, id }: ViewKey): string => `${workspaceId} ${kind} ${id}`;

/**
 * A view `v` by its key `u`. The primary key leads with the id, and the other
 * two columns are compared in a way that no index serves: otherwise, while the
 * statistics lag behind a burst, the planner takes a list's index and reads all
 * views of the workspace for each one (a tenth of the speed).
 */
const KEY = "v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM u.w";

const columnsOf = (keys: ViewKey[]) => [keys.map((key) => key.workspaceId), keys.map((key) => key.kind), keys.map((key) => key.id)];

/**
 * Loads views and locks them until the transaction ends, in key order, so that
 * workers with overlapping batches wait for one another instead of deadlocking.
 * One that is not there yet is made, empty, so that it can be locked too.
 */
export async function lockViews(client: pg.PoolClient, keys: ViewKey[]): Promise<Map<string, Registers>> {
  const columns = columnsOf(keys);
  await client.query({
    name: "views-make",
    text: `INSERT INTO views (workspace_id, kind, id, registers, state, last_created)
      SELECT w, k, i, '{}', 'unknown', 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i) ORDER BY w, k, i
      ON CONFLICT DO NOTHING`,
    values: columns,
  });
  const { rows } = await client.query<{ workspace_id: WorkspaceId; kind: ViewKind; id: string; registers: Registers }>({
    name: "views-lock",
    text: `SELECT v.workspace_id, v.kind, v.id, v.registers FROM views v
      JOIN unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i) ON ${KEY}
      ORDER BY v.workspace_id, v.kind, v.id FOR UPDATE OF v`,
    values: columns,
  });
  return new Map(rows.map((row) => [viewKeyText({ workspaceId: row.workspace_id, kind: row.kind, id: row.id }), row.registers]));
}

/** Writes folded views back; call it in the transaction that locked them. */
export async function saveViews(client: pg.PoolClient, views: FoldedView[]): Promise<void> {
  await client.query({
    name: "views-save",
    text: `UPDATE views v SET ${FOLDED_COLUMNS.map((name) => `${name} = u.${name}`).join(", ")}, updated_at = now()
      FROM unnest($1::text[], $2::text[], $3::text[], ${foldedParameters(4)}) AS u(w, k, i, ${FOLDED_COLUMNS.join(", ")})
      WHERE ${KEY}`,
    values: [...columnsOf(views), ...foldedValues(views)],
  });
}

/** One view as it stands; null when the log has spoken of none. */
export async function findView(workspaceId: WorkspaceId, kind: ViewKind, id: string): Promise<ViewRecord | null> {
  const { rows } = await pool().query<{ registers: Registers }>(
    "SELECT registers FROM views WHERE workspace_id = $1 AND kind = $2 AND id = $3",
    [workspaceId, kind, id],
  );
  return rows[0] ? recordOf(kind, id, rows[0].registers) : null;
}

/** The registers of several views, by `viewKeyText`. */
export async function findRegisters(keys: ViewKey[]): Promise<Map<string, Registers>> {
  const { rows } = await pool().query<{ workspace_id: WorkspaceId; kind: ViewKind; id: string; registers: Registers }>(
    `SELECT v.workspace_id, v.kind, v.id, v.registers FROM views v
     JOIN unnest($1::text[], $2::text[], $3::text[]) AS u(w, k, i) ON ${KEY}`,
    columnsOf(keys),
  );
  return new Map(rows.map((row) => [viewKeyText({ workspaceId: row.workspace_id, kind: row.kind, id: row.id }), row.registers]));
}
