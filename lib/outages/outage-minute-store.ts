import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import type { OutageMinute, OutageWindow } from "./windows.ts";

export const KEEP_DAYS = 30;

export async function listOutageMinutes(workspaceId: WorkspaceId, since: Date): Promise<OutageMinute[]> {
  const { rows } = await pool().query<OutageMinute>(
    `SELECT minute, sum(unavailable)::int AS unavailable, sum(limited)::int AS limited
       FROM outage_minutes WHERE workspace_id = $1 AND minute >= $2 GROUP BY minute`,
    [workspaceId, since],
  );
  return rows;
}

/** `window`: place in the requested list. */
export type SourceCount = { window: number; sourceId: string; unavailable: number; limited: number };

export async function countBySource(workspaceId: WorkspaceId, windows: readonly OutageWindow[]): Promise<SourceCount[]> {
  const { rows } = await pool().query<SourceCount>(
    `SELECT (w.n - 1)::int AS window, m.source_id AS "sourceId", sum(m.unavailable)::int AS unavailable, sum(m.limited)::int AS limited
       FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS w (first, last, n)
       JOIN outage_minutes m ON m.workspace_id = $1 AND m.minute >= w.first AND m.minute < w.last
      GROUP BY w.n, m.source_id`,
    [workspaceId, windows.map(({ from }) => new Date(from).toISOString()), windows.map(({ to }) => new Date(to).toISOString())],
  );
  return rows;
}

/** Returns the time up to which outages were dismissed; null for never. */
export async function findDismissal(workspaceId: WorkspaceId): Promise<Date | null> {
  return (await prisma().outageDismissal.findFirst({ where: { workspaceId }, select: { until: true } }))?.until ?? null;
}

export async function saveDismissal(client: pg.PoolClient, workspaceId: WorkspaceId, until: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO outage_dismissals AS d (workspace_id, until) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET until = excluded.until WHERE d.until < excluded.until`,
    [workspaceId, until],
  );
  return rowCount !== 0;
}

/** Deletes batches of counts that no process adds again after so long. */
export async function deleteOldBatches(): Promise<number> {
  const { rowCount } = await pool("worker").query("DELETE FROM minute_batches WHERE at < now() - make_interval(days => $1)", [KEEP_DAYS]);
  return rowCount ?? 0;
}

export async function deleteOldOutages(): Promise<number> {
  const { rowCount } = await pool("worker").query("DELETE FROM outage_minutes WHERE minute < now() - make_interval(days => $1)", [
    KEEP_DAYS,
  ]);
  return rowCount ?? 0;
}
