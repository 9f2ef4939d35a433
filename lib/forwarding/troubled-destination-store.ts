import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { cappedCount } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";

/** A destination that needs a person. */
export type TroubledDestination = {
  workspaceId: WorkspaceId;
  id: string;
  name: string;
  /** Why it is suspended; null when it is not. */
  suspended: SuspensionReason | null;
  lastFailureText: string | null;
  /** Deliveries that wait and that are exhausted, at most 1,001 counted. */
  pending: number;
  exhausted: number;
};

/** Both conditions: the first is the index's own. */
const EXHAUSTED = "f.destination_id = d.id AND f.state IN ('exhausted', 'skipped') AND f.state = 'exhausted'";

const COLUMNS = `d.workspace_id AS "workspaceId", d.id, d.name, CASE WHEN d.state = 'suspended' THEN d.state_reason END AS suspended,
  d.last_failure_text AS "lastFailureText",
  (${cappedCount("SELECT 1 FROM forward_deliveries f WHERE f.destination_id = d.id AND f.state = 'pending'")}) AS pending,
  (${cappedCount(`SELECT 1 FROM forward_deliveries f WHERE ${EXHAUSTED}`)}) AS exhausted`;

const TROUBLED = `d.deleted_at IS NULL AND (d.state = 'suspended' OR EXISTS (SELECT 1 FROM forward_deliveries f WHERE ${EXHAUSTED}))`;

/**
 * The destinations of all workspaces that are suspended or have exhausted deliveries.
 *
 * @param client the transaction in hand, with the ids of those that it has changed; otherwise all
 */
export async function listTroubled(
  client: Pick<ReturnType<typeof pool>, "query"> = pool(),
  ids: string[] | null = null,
): Promise<TroubledDestination[]> {
  const { rows } = await client.query<TroubledDestination>(
    `SELECT ${COLUMNS} FROM destinations d WHERE ${TROUBLED} AND ($1::text[] IS NULL OR d.id = ANY($1)) ORDER BY d.id`,
    [ids],
  );
  return rows;
}
