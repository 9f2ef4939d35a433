import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/within-bytes";
import type { KeptView } from "#lib/views/definition/view-columns";
import type { Registers } from "#lib/views/fold/register";
import { repaired } from "#lib/views/stored-record";

/** The next records of a workspace in key order: at most `limit` and 16 MB, one at least. */
export async function listRecords(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  after: { id: string; kind: string } | null,
  limit: number,
): Promise<KeptView[]> {
  const { rows } = await client.query<{ kind: ViewKind; id: string; registers: Registers | null }>(
    `${recordsWithinBytes(
      `SELECT v.id, v.kind, v.registers FROM views v WHERE v.workspace_id = $1 AND (v.id, v.kind) > ($2, $3) ORDER BY v.id, v.kind LIMIT $4`,
      "id, kind",
      "id, kind",
    )} ORDER BY id, kind`,
    [workspaceId, after?.id ?? "", after?.kind ?? "", limit],
  );
  return rows.flatMap(({ registers, ...key }) => (registers ? [{ ...key, registers: repaired(key.kind, registers) }] : []));
}
