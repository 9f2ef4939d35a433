import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** A connection that the platform said it ended, and that has been proven to work since. */
export type Contradiction = {
  workspaceId: WorkspaceId;
  connectionId: string;
  account: string | null;
  /** The platform's own ID of it, where a token answer gave it. */
  integrationId: string | null;
  /** The platform's event. */
  eventId: string;
  /** When the event was recorded. */
  toldAt: Date;
};

const MAX_CONTRADICTIONS = 1000;

/**
 * Connections of all workspaces whose last word from the platform is that the
 * access was revoked, and whose access was renewed after it. One that a
 * person connected again meanwhile is none of them.
 */
export async function listContradictions(): Promise<Contradiction[]> {
  const { rows } = await pool("worker").query<Contradiction>(
    `SELECT c.workspace_id AS "workspaceId", c.id AS "connectionId", c.account, c.integration_id AS "integrationId", h.event_id AS "eventId", h.at AS "toldAt"
       FROM connections c CROSS JOIN LATERAL (
         SELECT kind, event_id, at FROM connection_history WHERE connection_id = c.id AND event_id IS NOT NULL
          ORDER BY connection_history.id DESC LIMIT 1) h
      WHERE c.state IN ('connected', 'expiring') AND h.kind = 'platform_disconnected' AND c.last_proven_at > h.at
        AND (c.connected_at IS NULL OR c.connected_at < h.at) ORDER BY c.id LIMIT ${MAX_CONTRADICTIONS}`,
  );
  return rows;
}
