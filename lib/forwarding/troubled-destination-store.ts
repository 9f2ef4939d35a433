import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { SuspensionReason } from "#lib/contracts/forwarding/destinations";
import { cappedCount } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";

export type TroubledDestination = {
  workspaceId: WorkspaceId;
  id: string;
  name: string;
  suspended: SuspensionReason | null;
  lastFailureText: string | null;
  /** Counted up to 1,001. */
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

/** Lists suspended destinations and those with exhausted deliveries, of all workspaces, or among `ids`. */
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
