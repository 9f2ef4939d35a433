import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

/** Evidence of a missing event. */
export type Evidence = { id: string; workspaceId: WorkspaceId; evidence: string[] };

/** The next missing events of all workspaces that are not closed, in the order of their IDs, locked. */
export async function listEvidence(client: pg.ClientBase, after: string, limit: number): Promise<Evidence[]> {
  const { rows } = await client.query<Evidence>(
    `SELECT id, workspace_id AS "workspaceId", evidence FROM missing_events
     WHERE id > $1 AND state <> 'closed' ORDER BY id LIMIT $2 FOR UPDATE`,
    [after, limit],
  );
  return rows;
}

const GONE = "The events that it was based on have been deleted by the retention policy.";

/** Leaves missing events the evidence that is given. One without any is closed, or forgotten if it was never shown. */
export async function keepEvidence(client: pg.ClientBase, changed: Evidence[]): Promise<void> {
  if (changed.length === 0) return;
  const none = changed.filter(({ evidence }) => evidence.length === 0).map(({ id }) => id);
  await client.query("DELETE FROM missing_events WHERE id = ANY($1::text[]) AND state = 'waiting' AND opened_at IS NULL", [none]);
  await client.query(
    "UPDATE missing_events SET state = 'closed', closed_at = now(), evidence = '{}', detail = $2 WHERE id = ANY($1::text[])",
    [none, GONE],
  );
  for (const { id, evidence } of changed)
    if (evidence.length > 0) await client.query("UPDATE missing_events SET evidence = $2 WHERE id = $1", [id, evidence]);
}
