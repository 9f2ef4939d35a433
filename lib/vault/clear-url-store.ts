import { pool } from "#lib/db/pool";
import { SEALED_TABLES } from "./sealed-row-store.ts";
import { clearPart, sealUrl } from "./sealed-url.ts";

/** A URL of which more than the origin stands in clear. */
const HAS_PATH = "^https?://[^/?#]+(/[^#]|[?])";

type Row = { row: string; workspaceId: string; url: string; isDeleted: boolean };

/**
 * Seals the URLs that stand in clear: those that a version before has written. What was deleted keeps its origin alone.
 *
 * @returns how many
 * @throws VaultError `no_key`
 */
export async function sealClearUrls(): Promise<number> {
  let sealed = 0;
  for (const { table, row, columns, keyColumn } of SEALED_TABLES) {
    const [{ column, field, clear } = {}] = columns;
    if (!clear || !field) continue;
    const { rows } = await pool().query<Row>(
      `SELECT ${row} AS row, workspace_id AS "workspaceId", ${clear} AS url, deleted_at IS NOT NULL AS "isDeleted" FROM ${table} WHERE ${clear} ~ $1`,
      [HAS_PATH],
    );
    for (const { row: id, workspaceId, url, isDeleted } of rows) {
      const values = isDeleted ? [clearPart(url).url, null, null] : await sealUrl(url, { workspaceId, table, row: id, field });
      const { rowCount } = await pool().query(
        `UPDATE ${table} SET ${clear} = $3, ${column} = $4, ${keyColumn} = $5 WHERE ${row} = $1 AND ${clear} = $2
           AND (deleted_at IS NOT NULL) = $6`,
        [id, url, ...values, isDeleted],
      );
      sealed += rowCount ?? 0;
    }
  }
  return sealed;
}
