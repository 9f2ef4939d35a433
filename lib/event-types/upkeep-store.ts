import type pg from "pg";
import type { SourceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** What a type's events a day were before they fell or rose. */
export type VolumeWatch = { driftId: string; fewest: number; most: number };

export type WatchedVolume = { id: string; sourceId: SourceId; type: string; volume: VolumeWatch | null };

/** Lists the types whose volume is watched: one row for all variants of a type. */
export async function listWatchedVolumes(): Promise<WatchedVolume[]> {
  const { rows } = await pool("worker").query<WatchedVolume>(
    `SELECT DISTINCT ON (s.source_id, s.type) s.id, s.source_id AS "sourceId", s.type, s.volume FROM event_schemas s
     WHERE s.state = 'observed' AND s.variant <> 'fetched' ORDER BY s.source_id, s.type, s.variant`,
  );
  return rows;
}

export async function saveVolume(client: pg.PoolClient, id: string, volume: VolumeWatch | null): Promise<void> {
  await client.query("UPDATE event_schemas SET volume = $2 WHERE id = $1", [id, volume && JSON.stringify(volume)]);
}

/** An expired value's schema: the oldest event that its source still has in the log. */
export type KeptSince = { id: string; keptSince: Date | null };

/** Lists schemas, after one, with the moment from which on their source's events are kept; null when none is. */
export async function listKeptSince(after: string, limit: number): Promise<KeptSince[]> {
  const { rows } = await pool("worker").query<KeptSince>(
    `SELECT s.id, greatest(src.gone_before, oldest.at) AS "keptSince" FROM event_schemas s JOIN sources src ON src.id = s.source_id
     LEFT JOIN LATERAL (SELECT min(e.received_at) AS at FROM events e WHERE e.workspace_id = s.workspace_id) oldest ON true
     WHERE s.id > $1 AND s.state = 'observed' ORDER BY s.id LIMIT $2`,
    [after, limit],
  );
  return rows;
}
