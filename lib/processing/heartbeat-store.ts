import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { once } from "#lib/context/once";
import { pool } from "#lib/db/pool";
import { queryCount } from "#lib/db/rows";
import { recentRefusal } from "#lib/db/unavailable";
import { type WorkerCounter, type WorkerCounts, workerCounts } from "#lib/observability/metrics";
import { type Clock, Silences } from "#lib/time/clock";

const id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;

const FORGOTTEN_AFTER = "1 hour";

/** Moves the counts of workers that leave into the totals, so that no sum ever falls. */
const REMOVE = (which: string) => `WITH gone AS (DELETE FROM worker_heartbeats WHERE ${which} RETURNING counters)
  INSERT INTO worker_totals (name, value) SELECT key, sum(value::float8) FROM gone, jsonb_each_text(counters) GROUP BY key
  ON CONFLICT (name) DO UPDATE SET value = worker_totals.value + excluded.value`;

/** `settled`: already in the totals, because this worker was taken for gone once. `told`: sent with the last heartbeat. */
const sent = () => once("heartbeat", (): { settled: WorkerCounts; told: WorkerCounts } => ({ settled: {}, told: {} }));

/** The clock was set back and times are not right yet: a row that shows it goes on showing it, unless another worker put them right meanwhile. */
const SEEN_AT = "now() + CASE WHEN seen_at > now() + interval '1 minute' THEN make_interval(secs => $5) ELSE interval '0' END";

/** A worker writes a heartbeat every 5 s; after this silence it counts as stopped. */
export const WORKER_SILENT_MS = 20_000;

/**
 * Notes that this worker is alive, its counts and its newest known migration; removes those silent for an hour.
 * @param aheadSeconds by which times lie ahead since the database's clock was set back
 */
export async function markAlive(knows: string | null = null, aheadSeconds = 0): Promise<void> {
  const counts = { ...workerCounts() };
  const last = sent();
  const { rowCount } = await pool("worker").query(
    `UPDATE worker_heartbeats SET seen_at = ${SEEN_AT}, counters = $2, knows = $3, refused = $4 WHERE id = $1`,
    [id, since(last.settled, counts), knows, recentRefusal(), aheadSeconds],
  );
  if (rowCount === 0) {
    last.settled = last.told;
    await pool("worker").query(
      "INSERT INTO worker_heartbeats (id, counters, knows, refused) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [id, since(last.settled, counts), knows, recentRefusal()],
    );
  }
  last.told = counts;
  await pool("worker").query(REMOVE(`seen_at < now() - interval '${FORGOTTEN_AFTER}' AND id <> $1`), [id]);
}

const since = (before: WorkerCounts, now: WorkerCounts): WorkerCounts =>
  Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - (before[name as WorkerCounter] ?? 0)]));

export async function markGone(): Promise<void> {
  await markAlive();
  await pool("worker").query(REMOVE("id = $1"), [id]);
  sent().told = { ...workerCounts() };
}

/** Sums the counts of all workers that ever were; `alive` ones were seen within `aliveMs` milliseconds. */
export async function sumWorkerCounts(): Promise<{ alive: number; counts: WorkerCounts }> {
  const { rows } = await pool("web").query<{ name: WorkerCounter | null; value: number; alive: number }>(
    `WITH counted AS (
       SELECT key AS name, value::float8 AS value FROM worker_heartbeats, jsonb_each_text(counters)
       UNION ALL SELECT name, value FROM worker_totals),
     living AS (SELECT count(*) AS alive FROM worker_heartbeats WHERE seen_at > now() - make_interval(secs => $1))
     SELECT c.name, sum(c.value) AS value, l.alive FROM living l LEFT JOIN counted c ON true GROUP BY c.name, l.alive`,
    [WORKER_SILENT_MS / 1000],
  );
  return {
    alive: rows[0]?.alive ?? 0,
    counts: Object.fromEntries(rows.flatMap(({ name, value }) => (name === null ? [] : [[name, value]]))),
  };
}

type Heartbeat = { id: string; seenAt: Date; silentMs: number; refused: string | null };

/** Returns the last heartbeat; null for none in an hour. `refused`: why a connection was refused lately. */
export async function findLastHeartbeat(clock?: Pick<Clock, "elapsed">): Promise<Omit<Heartbeat, "id"> | null> {
  const { rows } = await pool("web").query<Heartbeat>(
    `SELECT id, seen_at AS "seenAt", greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::float8 * 1000 AS "silentMs",
       CASE WHEN seen_at > clock_timestamp() - interval '1 minute' THEN refused END AS refused FROM worker_heartbeats`,
  );
  const heartbeats = once("heartbeats-seen", () => new Silences()).look(rows, clock);
  const [last] = heartbeats.toSorted((one, other) => one.silentMs - other.silentMs);
  if (!last) return null;
  const refused = heartbeats.map((each) => each.refused).find((reason) => reason !== null) ?? recentRefusal();
  return { seenAt: last.seenAt, silentMs: last.silentMs, refused };
}

/** True while a worker with older code is alive: an update is under way. */
export async function isOlderWorkerAlive(migration: string): Promise<boolean> {
  const { rowCount } = await pool("worker").query(
    "SELECT 1 FROM worker_heartbeats WHERE seen_at > now() - make_interval(secs => $1) AND (knows IS NULL OR knows < $2) LIMIT 1",
    [WORKER_SILENT_MS / 1000, migration],
  );
  return rowCount !== 0;
}

export const countAliveWorkers = (): Promise<number> =>
  queryCount<{ n: number }>(
    pool("worker"),
    "SELECT count(*) AS n FROM worker_heartbeats WHERE seen_at > now() - make_interval(secs => $1)",
    [WORKER_SILENT_MS / 1000],
  );
