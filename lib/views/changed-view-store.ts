import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind, ViewRecord } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/within-bytes";
import type { Registers } from "./fold/register.ts";
import { storedRecordOf } from "./stored-record.ts";

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
