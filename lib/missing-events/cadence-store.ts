import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Cadence } from "./cadence.ts";

/** `receives`: false for an archived or paused source. */
export type SourceCadence = Cadence & { sourceId: SourceId; workspaceId: WorkspaceId; receives: boolean };

const MAX_CADENCES = 10_000;

export async function listCadences(client: pg.ClientBase): Promise<SourceCadence[]> {
  const { rows } = await client.query<
    Omit<SourceCadence, "lastReceivedAt"> & { receivedAt: Date; times: (string | number)[]; arrivals: (string | number)[] }
  >(
    `SELECT c.source_id AS "sourceId", c.workspace_id AS "workspaceId", c.last_event_id AS "lastEventId",
            c.last_received_at AS "receivedAt", c.times, c.arrivals, c.hours, s.archived_at IS NULL AND s.paused_at IS NULL AS receives
       FROM source_cadences c JOIN sources s ON s.id = c.source_id LIMIT ${MAX_CADENCES}`,
  );
  return rows.map(({ receivedAt, times, arrivals, ...row }) => ({
    ...row,
    times: times.map(Number),
    arrivals: arrivals.map(Number),
    lastReceivedAt: receivedAt.getTime(),
  }));
}

export async function saveCadences(client: pg.ClientBase, paces: SourceCadence[]): Promise<void> {
  for (const { sourceId, workspaceId, lastEventId, lastReceivedAt, times, arrivals, hours } of paces) {
    await client.query(
      `INSERT INTO source_cadences (source_id, workspace_id, last_event_id, last_received_at, times, arrivals, hours) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (source_id) DO UPDATE SET last_event_id = EXCLUDED.last_event_id, last_received_at = EXCLUDED.last_received_at,
         times = EXCLUDED.times, arrivals = EXCLUDED.arrivals, hours = EXCLUDED.hours`,
      [sourceId, workspaceId, lastEventId, new Date(lastReceivedAt), times, arrivals, hours],
    );
  }
}
