import { pool } from "#lib/db/pool";
import { hasKey } from "./key-ring.ts";
import { SEALED_TABLES } from "./sealed-row-store.ts";

/** Values that a workspace has sealed with keys that the ring lacks. */
export type MissingKeys = { workspaceId: string; keyIds: string[]; values: number };

/** Counted by the key that stands beside each sealed value: cheap enough to be asked all the time. */
const COUNTS = SEALED_TABLES.filter(({ keyColumn, owner }) => keyColumn && !owner)
  .map(({ table, keyColumn, live }) => `SELECT workspace_id, ${keyColumn} AS key_id FROM ${table} WHERE (${live})`)
  .join(" UNION ALL ");

/**
 * The workspaces with secrets that can't be opened here.
 *
 * @throws VaultError `no_key` while VAULT_KEYS is not set
 */
export async function listMissingKeys(): Promise<MissingKeys[]> {
  const { rows } = await pool().query<{ workspace_id: string; key_id: string; n: number }>(
    `SELECT workspace_id, key_id, count(*) AS n FROM (${COUNTS}) t GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const lost = rows.filter(({ key_id }) => !hasKey(key_id));
  return [...new Set(lost.map(({ workspace_id }) => workspace_id))].map((workspaceId) => {
    const own = lost.filter(({ workspace_id }) => workspace_id === workspaceId);
    return { workspaceId, keyIds: own.map(({ key_id }) => key_id), values: own.reduce((sum, { n }) => sum + n, 0) };
  });
}
