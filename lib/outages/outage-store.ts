import type pg from "pg";
import { PRODUCT_VERSION } from "#lib/config/product";
import { once } from "#lib/context/once";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { countChanged, queryRows } from "#lib/db/rows";
import { Silences } from "#lib/time/clock";

export const KEEP_DAYS = 30;

export const listOutageMinutes = (workspaceId: WorkspaceId, since: Date): Promise<OutageMinute[]> =>
  queryRows<OutageMinute>(
    pool(),
    `SELECT minute, sum(unavailable)::int AS unavailable, sum(limited)::int AS limited
       FROM outage_minutes WHERE workspace_id = $1 AND minute >= $2 GROUP BY minute`,
    [workspaceId, since],
  );

/** `window`: place in the requested list. */
export type SourceCount = { window: number; sourceId: string; unavailable: number; limited: number };

export const countBySource = (workspaceId: WorkspaceId, windows: readonly OutageWindow[]): Promise<SourceCount[]> =>
  queryRows<SourceCount>(
    pool(),
    `SELECT (w.n - 1)::int AS window, m.source_id AS "sourceId", sum(m.unavailable)::int AS unavailable, sum(m.limited)::int AS limited
       FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS w (first, last, n)
       JOIN outage_minutes m ON m.workspace_id = $1 AND m.minute >= w.first AND m.minute < w.last
      GROUP BY w.n, m.source_id`,
    [workspaceId, windows.map(({ from }) => new Date(from).toISOString()), windows.map(({ to }) => new Date(to).toISOString())],
  );

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
export const deleteOldBatches = (): Promise<number> =>
  countChanged(pool("worker"), "DELETE FROM minute_batches WHERE at < now() - make_interval(days => $1)", [KEEP_DAYS]);

export const deleteOldOutages = (): Promise<number> =>
  countChanged(pool("worker"), "DELETE FROM outage_minutes WHERE minute < now() - make_interval(days => $1)", [KEEP_DAYS]);

/** A receiver that is seen every 5 s may have run for this long after it was last seen. */
const NOTABLE_SECONDS = 10;

/** `startedMsAgo` is by the process's own clock. */
export type ReceiverRun = { id: string; startedMsAgo: number };

/** Records that a receiver runs, by the database's clock. */
export async function noteRun({ id, startedMsAgo }: ReceiverRun, version = PRODUCT_VERSION): Promise<void> {
  await pool("receiver").query(
    `INSERT INTO receiver_runs (id, started_at, seen_at, version) VALUES ($1, now() - make_interval(secs => $2), now(), $3)
     ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
    [id, startedMsAgo / 1000, version],
  );
}

/** More run at once nowhere. */
const MAX_RECEIVERS = 100;

/** Returns for how long no receiver has been seen, in milliseconds; null where none ever was, as on hosts that run the build with Next alone. */
export async function findReceiverSilence(): Promise<number | null> {
  const { rows } = await pool("worker").query<{ id: string; seenAt: Date; silentMs: number }>(
    `SELECT id, seen_at AS "seenAt", greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::float8 * 1000 AS "silentMs"
       FROM receiver_runs ORDER BY seen_at DESC LIMIT ${MAX_RECEIVERS}`,
  );
  const silences = once("receivers-seen", () => new Silences()).look(rows);
  return silences.length === 0 ? null : Math.min(...silences.map(({ silentMs }) => silentMs));
}

type VersionChange = { at: Date; from: string; to: string };

export const listVersionChanges = ({ from, to }: { from: string; to: string }): Promise<VersionChange[]> =>
  queryRows<VersionChange>(
    pool(),
    `WITH runs AS (
       SELECT started_at, version, lag(version) OVER (ORDER BY started_at, id) AS before FROM receiver_runs WHERE version IS NOT NULL)
     SELECT started_at AS "at", before AS "from", version AS "to" FROM runs
      WHERE version <> before AND started_at BETWEEN $1 AND $2 ORDER BY started_at`,
    [from, to],
  );

/** Lists the times in which no receiver ran, between two that did. */
export async function listAbsences(since: Date): Promise<Absence[]> {
  const { rows } = await pool().query<{ from: Date; to: Date | null }>(
    `WITH runs AS (
       SELECT max(seen_at) OVER (ORDER BY started_at, id) AS covered, lead(started_at) OVER (ORDER BY started_at, id) AS next FROM receiver_runs)
     SELECT covered AS "from", next AS "to" FROM runs WHERE next > covered + make_interval(secs => $2) AND next > $1`,
    [since, NOTABLE_SECONDS],
  );
  return rows.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]));
}

/** Deletes runs once a later one began before the shown period: until then they show when an absence began. */
export const deleteOldRuns = (): Promise<number> =>
  countChanged(
    pool("worker"),
    `DELETE FROM receiver_runs r USING receiver_runs later
      WHERE later.seen_at > r.seen_at AND later.started_at < now() - make_interval(days => $1)`,
    [KEEP_DAYS],
  );

const MINUTE_MS = 60_000;
/** Outages with less than this between them are one. */
const MERGED_MS = 2 * MINUTE_MS;

type OutageMinute = { minute: Date; unavailable: number; limited: number };
type Absence = { from: Date; to: Date };

/** Times in milliseconds since 1970. */
export type OutageWindow = { from: number; to: number; awayMs: number; unavailable: number; limited: number };

/** Merges minutes and absences, the newest first. */
export function windowsOf(minutes: readonly OutageMinute[], absences: readonly Absence[]): OutageWindow[] {
  const parts = [
    ...minutes.map(({ minute, ...counts }) => ({ from: minute.getTime(), to: minute.getTime() + MINUTE_MS, awayMs: 0, ...counts })),
    ...absences.map(({ from, to }) => ({
      ...{ from: from.getTime(), to: to.getTime(), unavailable: 0, limited: 0 },
      awayMs: to.getTime() - from.getTime(),
    })),
  ].sort((a, b) => a.from - b.from);
  const windows: OutageWindow[] = [];
  for (const part of parts) {
    const last = windows.at(-1);
    if (last === undefined || part.from - last.to >= MERGED_MS) windows.push(part);
    else
      windows[windows.length - 1] = {
        from: last.from,
        to: Math.max(last.to, part.to),
        awayMs: last.awayMs + part.awayMs,
        unavailable: last.unavailable + part.unavailable,
        limited: last.limited + part.limited,
      };
  }
  return windows.reverse();
}
