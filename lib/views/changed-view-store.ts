import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/within-bytes";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";

/** Position of a reader of changes: that of the last change that it saw, and the view's id, kind and workspace. */
export type ChangeCursor = { xid: string; key: string[] };

export type ChangedViews = {
  changed: { workspaceId: WorkspaceId; record: ViewRecord }[];
  cursor: ChangeCursor;
  /** True when more wait behind these. */
  more: boolean;
  /** Every change below this position was there to be read. */
  settled: string;
};

type Row = { workspace_id: WorkspaceId; kind: ViewKind; id: string; registers: Registers | null; xid: string };

/**
 * Before this position nothing changes any more. Asked before the statement that reads the views: what ends in between
 * is visible to that one, and read by the next call.
 */
export async function findSettledPosition(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ settled: string }>("SELECT settled_position()::text AS settled");
  return rows[0]?.settled ?? "0";
}

/**
 * Views of all workspaces that changed after a cursor, in the order of the transactions that changed them, up to the
 * first of these that has not ended: no change is skipped, whatever clocks say. It loads at most 16 MB of records, but
 * one at least. A cursor beyond the settled position is another cluster's: it begins at the beginning.
 *
 * @param kinds others are passed over
 */
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
