import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { keyOfSql } from "#lib/db/log/key-sql";
import { pool } from "#lib/db/pool";
import { filterSql } from "#lib/events/search/filter-sql";
import { isWalkedWhole } from "#lib/events/search/narrow-store";
import { parseFilter } from "#lib/events/search/query";

type Position = { receivedAt: Date; seq: number };

/** Returns the places of the newest `max` events that match, for bulk re-delivery. */
export async function listPositions(workspaceId: WorkspaceId, filter: EventFilter, max: number, now: Date): Promise<Position[]> {
  const parsed = parseFilter(filter);
  const { driver, where, bound } = filterSql(workspaceId, parsed, now, { walk: await isWalkedWhole(workspaceId, parsed, now) });
  const from = "events e JOIN sources s ON s.id = e.source_id";
  const conditions = where.join(" AND ");
  const text = driver
    ? `SELECT p.received_at, p.seq FROM (${driver}) p CROSS JOIN LATERAL (SELECT 1 FROM ${from}
        WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x ORDER BY p.received_at DESC, p.seq DESC LIMIT ${max}`
    : `SELECT e.received_at, e.seq FROM ${from} WHERE ${conditions} ORDER BY e.received_at DESC, e.seq DESC LIMIT ${max}`;
  return positionsOf(text, bound.values);
}

export async function findPositions(workspaceId: WorkspaceId, eventIds: string[]): Promise<Position[]> {
  return positionsOf(`SELECT k.received_at, k.seq FROM event_keys k WHERE ${keyOfSql("k", "$1")} AND k.event_id = ANY($2::text[])`, [
    workspaceId,
    eventIds,
  ]);
}

async function positionsOf(text: string, values: unknown[]): Promise<Position[]> {
  const { rows } = await pool().query<{ received_at: Date; seq: number }>(text, values);
  return rows.map((row) => ({ receivedAt: row.received_at, seq: row.seq }));
}
