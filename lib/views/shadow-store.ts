import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pairsWithinBytes, recordsWithinBytes } from "#lib/db/bounded-query";
import { arraysOf } from "#lib/db/columns";
import { queryRows } from "#lib/db/rows";
import { keyOfSql, waitingPlacesSql } from "#lib/db/sql";
import { mergeRecords } from "./fold/fold.ts";
import type { Registers } from "./fold/register.ts";
import type { Compared } from "./record-differences.ts";
import { FOLDED_COLUMNS, foldedParameters, foldedSql, foldedValues, type KeptView, repaired } from "./stored-record.ts";

// The shadow of a workspace's views: temporary tables of one connection, so a crash leaves nothing that could pass for a finished rebuild.
//   views_shadow     made of the log
//   views_ahead      live views with events waiting in the inbox applied
//   views_differing  keys in which live and shadow differ

const KEYS = 2000;

export async function createShadow(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE views_shadow (LIKE views INCLUDING DEFAULTS, PRIMARY KEY (id, kind));
    CREATE TEMP TABLE views_ahead (LIKE views INCLUDING DEFAULTS, PRIMARY KEY (id, kind));
    CREATE TEMP TABLE views_differing (id text, kind text, live boolean, rebuilt boolean, PRIMARY KEY (id, kind))`);
}

type Shadow = "views_shadow" | "views_ahead";

export function mergeIntoShadow(client: pg.PoolClient, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  return mergeInto(client, "views_shadow", workspaceId, views);
}

export function mergeIntoAhead(client: pg.PoolClient, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  return mergeInto(client, "views_ahead", workspaceId, views);
}

/** Loads and writes each record once, with at most 16 MB of stored records in memory. */
async function mergeInto(client: pg.PoolClient, table: Shadow, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  for (let at = 0; at < views.length; at += KEYS) {
    for (let left = views.slice(at, at + KEYS); left.length > 0; ) {
      const stored = await findStored(client, table, workspaceId, left);
      const merged: KeptView[] = [];
      const waiting: KeptView[] = [];
      for (const view of left) {
        const before = stored.get(`${view.kind} ${view.id}`);
        if (before === null) waiting.push(view);
        else merged.push(before ? { ...view, registers: mergeRecords(view.kind, before, view.registers) } : view);
      }
      await saveShadow(client, table, workspaceId, merged);
      left = waiting;
    }
  }
}

async function saveShadow(client: pg.PoolClient, table: Shadow, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  if (views.length === 0) return;
  const columns = FOLDED_COLUMNS.join(", ");
  await client.query({
    name: `${table}-save`,
    text: `INSERT INTO ${table} (workspace_id, kind, id, ${columns})
      SELECT $1, k, i, ${FOLDED_COLUMNS.map(foldedSql).join(", ")} FROM unnest($2::text[], $3::text[], ${foldedParameters(4)}) AS u(k, i, ${columns})
      ON CONFLICT (id, kind) DO UPDATE SET ${FOLDED_COLUMNS.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}`,
    values: [workspaceId, ...arraysOf(views, "kind", "id"), ...foldedValues(views)],
  });
}

/** SQL of the records that a fold is merged with: of the same table, and for `views_ahead` else the live ones. */
const STANDING: Record<Shadow, string> = {
  views_shadow: `SELECT v.kind, v.id, v.registers FROM unnest($1::text[], $2::text[]) AS u(k, i)
    JOIN views_shadow v ON v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM $3::text`,
  views_ahead: `SELECT u.k AS kind, u.i AS id, coalesce(a.registers, v.registers) AS registers FROM unnest($1::text[], $2::text[]) AS u(k, i)
    LEFT JOIN views_ahead a ON a.id = u.i AND a.kind IS NOT DISTINCT FROM u.k
    LEFT JOIN views v ON v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k AND v.workspace_id IS NOT DISTINCT FROM $3::text
    WHERE a.id IS NOT NULL OR v.id IS NOT NULL`,
};

/** Returns records by kind and ID; null for one that did not fit and is asked for again. */
async function findStored(
  client: pg.PoolClient,
  table: Shadow,
  workspaceId: WorkspaceId,
  keys: { kind: ViewKind; id: string }[],
): Promise<Map<string, Registers | null>> {
  const { rows } = await client.query<{ kind: ViewKind; id: string; registers: Registers | null }>({
    name: `${table}-find`,
    text: recordsWithinBytes(STANDING[table], "kind, id", "kind, id"),
    values: [...arraysOf(keys, "kind", "id"), workspaceId],
  });
  return new Map(
    rows.map(({ kind, id, registers }) => [`${kind} ${id}`, table === "views_ahead" && registers ? repaired(kind, registers) : registers]),
  );
}

const COLUMNS = ["id", "kind", ...FOLDED_COLUMNS].join(", ");
/** Registers as text: to jsonb 1.10 is 1.1. */
const tuple = (table: string) => `(${FOLDED_COLUMNS.map((name) => `${table}.${name}${name === "registers" ? "::text" : ""}`).join(", ")})`;

/** Live views of the workspace $1, with events waiting in the inbox counted as applied. */
const LIVE = `(SELECT ${COLUMNS} FROM views v WHERE v.workspace_id = $1
    AND NOT EXISTS (SELECT 1 FROM views_ahead a WHERE a.id = v.id AND a.kind = v.kind)
  UNION ALL SELECT ${COLUMNS} FROM views_ahead)`;

/** Records only in the log (`missing`), only in the views (`surplus`), or different in both. */
type DifferingCounts = { missing: number; surplus: number; different: number };

export async function markDiffering(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<DifferingCounts> {
  await client.query("ANALYZE views_shadow; ANALYZE views_ahead; DELETE FROM views_differing");
  await client.query(
    `INSERT INTO views_differing (id, kind, live, rebuilt)
     SELECT coalesce(v.id, s.id), coalesce(v.kind, s.kind), v.id IS NOT NULL, s.id IS NOT NULL
     FROM ${LIVE} v FULL JOIN views_shadow s ON s.id = v.id AND s.kind = v.kind
     WHERE v.id IS NULL OR s.id IS NULL OR ${tuple("v")} IS DISTINCT FROM ${tuple("s")}`,
    [workspaceId],
  );
  await client.query("ANALYZE views_differing");
  const { rows } = await client.query<DifferingCounts>(
    `SELECT count(*) FILTER (WHERE NOT live) AS missing, count(*) FILTER (WHERE NOT rebuilt) AS surplus,
       count(*) FILTER (WHERE live AND rebuilt) AS different FROM views_differing`,
  );
  return rows[0] ?? { missing: 0, surplus: 0, different: 0 };
}

export async function clearAhead(client: pg.PoolClient): Promise<void> {
  await client.query("DELETE FROM views_ahead");
}

/** Lists the first differing records in key order, as many as 16 MB hold, at least one. */
export const listDiffering = (
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  side: "live" | "missing",
  limit: number,
): Promise<Compared[]> =>
  queryRows<{ kind: ViewKind; id: string; live: Registers | null; rebuilt: Registers | null }>(
    client,
    pairsWithinBytes(
      `SELECT d.kind, d.id, coalesce(a.registers, v.registers) AS live, s.registers AS rebuilt FROM views_differing d
     LEFT JOIN views_ahead a ON a.id = d.id AND a.kind = d.kind
     LEFT JOIN views v ON v.id = d.id AND v.kind IS NOT DISTINCT FROM d.kind AND v.workspace_id IS NOT DISTINCT FROM $1
     LEFT JOIN views_shadow s ON s.id = d.id AND s.kind = d.kind
     WHERE d.live = $2 ORDER BY d.id, d.kind LIMIT $3`,
      "id, kind",
    ),
    [workspaceId, side === "live", limit],
  );

export type KindHash = { kind: ViewKind; records: number; hash: string };

/** Hashes the SHA-256 of each record in the order of IDs: equal for the same registers. jsonb writes equal values alike. */
export const hashKinds = (client: pg.PoolClient, workspaceId: WorkspaceId, side: "live" | "rebuilt"): Promise<KindHash[]> =>
  queryRows<KindHash>(
    client,
    `SELECT kind, count(*) AS records,
       encode(sha256(string_agg(sha256(convert_to(id || E'\\n' || registers::text, 'UTF8')), ''::bytea ORDER BY id COLLATE "C")), 'hex') AS hash
     FROM ${side === "live" ? LIVE : `(SELECT ${COLUMNS} FROM views_shadow WHERE workspace_id = $1)`} v GROUP BY kind ORDER BY kind`,
    [workspaceId],
  );

/** Replaces differing records by the shadow's, in the current transaction. Returns their number. */
export async function writeDiffering(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<number> {
  const { rowCount: written } = await client.query(
    `INSERT INTO views (workspace_id, updated_at, ${COLUMNS})
     SELECT $1, now(), ${COLUMNS.split(", ")
       .map((name) => `s.${name}`)
       .join(", ")} FROM views_shadow s JOIN views_differing d ON d.id = s.id AND d.kind = s.kind
     ON CONFLICT (id, kind, workspace_id) DO UPDATE SET updated_at = now(), ${FOLDED_COLUMNS.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}`,
    [workspaceId],
  );
  const { rowCount: removed } = await client.query(
    `DELETE FROM views v USING views_differing d WHERE v.workspace_id = $1 AND v.id = d.id AND v.kind = d.kind
     AND NOT EXISTS (SELECT 1 FROM views_shadow s WHERE s.id = d.id AND s.kind = d.kind)`,
    [workspaceId],
  );
  return (written ?? 0) + (removed ?? 0);
}

const MOVE = ["task_id", "pipeline_id", "from_stage", "stage", "creates", "at"];
const moveTuple = (table: string) => `(${MOVE.map((name) => `${table}.${name}`).join(", ")})`;

export async function createMoveShadow(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE task_moves_shadow (LIKE task_moves INCLUDING DEFAULTS, PRIMARY KEY (event_id));
    CREATE TEMP TABLE task_moves_differing (event_id text PRIMARY KEY, live boolean, rebuilt boolean)`);
}

/** `carried`: moves kept although the log no longer holds their events. */
export type ComparedMoves = { live: number; rebuilt: number; missing: number; surplus: number; different: number; carried: number };

/** Compares live and shadow moves. Waiting events make no difference, nor does a move whose event has left the log (no key). */
export async function compareMoves(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<ComparedMoves> {
  await client.query("ANALYZE task_moves_shadow; DELETE FROM task_moves_differing");
  await client.query(
    `INSERT INTO task_moves_differing (event_id, live, rebuilt)
     SELECT coalesce(m.event_id, s.event_id), m.event_id IS NOT NULL, s.event_id IS NOT NULL
     FROM (SELECT * FROM task_moves WHERE workspace_id = $1) m FULL JOIN task_moves_shadow s ON s.event_id = m.event_id
     WHERE m.event_id IS NULL OR s.event_id IS NULL OR ${moveTuple("m")} IS DISTINCT FROM ${moveTuple("s")}`,
    [workspaceId],
  );
  await client.query(
    `DELETE FROM task_moves_differing d USING ${waitingPlacesSql("$1")} w JOIN events e ON e.received_at = w.received_at AND e.seq = w.seq
     WHERE e.workspace_id = $1 AND d.event_id = e.event_id AND NOT d.live`,
    [workspaceId],
  );
  const { rowCount: carried } = await client.query(
    `DELETE FROM task_moves_differing d USING task_moves m WHERE m.workspace_id = $1 AND m.event_id = d.event_id AND NOT d.rebuilt
       AND NOT EXISTS (SELECT 1 FROM event_keys k JOIN events e ON e.received_at = k.received_at AND e.seq = k.seq
         WHERE ${keyOfSql("k", "$1")} AND k.event_id = d.event_id)`,
    [workspaceId],
  );
  return { ...(await countMoves(client, workspaceId)), carried: carried ?? 0 };
}

async function countMoves(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<Omit<ComparedMoves, "carried">> {
  const { rows } = await client.query<Omit<ComparedMoves, "carried">>(
    `SELECT (SELECT count(*) FROM task_moves WHERE workspace_id = $1) AS live, (SELECT count(*) FROM task_moves_shadow) AS rebuilt,
       count(*) FILTER (WHERE NOT d.live) AS missing, count(*) FILTER (WHERE NOT d.rebuilt) AS surplus,
       count(*) FILTER (WHERE d.live AND d.rebuilt) AS different FROM task_moves_differing d`,
    [workspaceId],
  );
  return rows[0] ?? { live: 0, rebuilt: 0, missing: 0, surplus: 0, different: 0 };
}

/** Replaces differing moves, and marks their tasks as changed, so that missing events are evaluated again. */
export async function writeDifferingMoves(client: pg.PoolClient, workspaceId: WorkspaceId): Promise<void> {
  await client.query(
    `WITH written AS (
       INSERT INTO task_moves (workspace_id, event_id, ${MOVE.join(", ")})
       SELECT $1, s.event_id, ${MOVE.map((name) => `s.${name}`).join(", ")} FROM task_moves_shadow s JOIN task_moves_differing d USING (event_id)
       ON CONFLICT (workspace_id, event_id) DO UPDATE SET ${MOVE.map((name) => `${name} = EXCLUDED.${name}`).join(", ")} RETURNING task_id),
     removed AS (
       DELETE FROM task_moves m USING task_moves_differing d WHERE m.workspace_id = $1 AND m.event_id = d.event_id AND NOT d.rebuilt
       RETURNING m.task_id)
     UPDATE views SET updated_at = now() WHERE workspace_id = $1 AND kind = 'task'
       AND id IN (SELECT task_id FROM written UNION ALL SELECT task_id FROM removed)`,
    [workspaceId],
  );
}
