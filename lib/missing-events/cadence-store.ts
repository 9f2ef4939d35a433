import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { Cadence } from "./cadence.ts";

export type SourceCadence = Cadence & { sourceId: SourceId; workspaceId: WorkspaceId };

const MAX_CADENCES = 10_000;

/** The cadence of every source of the installation, at most 10,000. */
export async function listCadences(client: pg.ClientBase): Promise<SourceCadence[]> {
  const { rows } = await client.query<Omit<SourceCadence, "lastReceivedAt"> & { receivedAt: Date; times: (string | number)[] }>(
    `SELECT source_id AS "sourceId", workspace_id AS "workspaceId", last_event_id AS "lastEventId",
            last_received_at AS "receivedAt", times, hours FROM source_cadences LIMIT ${MAX_CADENCES}`,
  );
  return rows.map(({ receivedAt, times, ...row }) => ({ ...row, times: times.map(Number), lastReceivedAt: receivedAt.getTime() }));
}

/** Writes paces back. */
export async function saveCadences(client: pg.ClientBase, paces: SourceCadence[]): Promise<void> {
  for (const { sourceId, workspaceId, lastEventId, lastReceivedAt, times, hours } of paces) {
    await client.query(
      `INSERT INTO source_cadences (source_id, workspace_id, last_event_id, last_received_at, times, hours) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (source_id) DO UPDATE SET last_event_id = EXCLUDED.last_event_id, last_received_at = EXCLUDED.last_received_at,
         times = EXCLUDED.times, hours = EXCLUDED.hours`,
      [sourceId, workspaceId, lastEventId, new Date(lastReceivedAt), times, hours],
    );
  }
}
