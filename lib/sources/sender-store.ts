import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { SourceSender } from "#lib/platform/schemes/passed-headers";

/** Returns how the sources of a workspace sign, archived ones too, by their IDs. */
export async function listSenders(workspaceId: WorkspaceId, from: pg.Pool | pg.ClientBase = pool()): Promise<Map<string, SourceSender>> {
  const { rows } = await from.query<SourceSender & { id: string }>(
    "SELECT id, template, scheme, reading FROM sources WHERE workspace_id = $1",
    [workspaceId],
  );
  return new Map(rows.map(({ id, ...sender }) => [id, sender]));
}
