import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pairsWithinBytes } from "#lib/db/within-bytes";
import { FOLDED_COLUMNS } from "#lib/views/definition/view-columns";
import type { Compared } from "#lib/views/fold/difference";
import type { Registers } from "#lib/views/fold/register";

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
export async function listDiffering(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  side: "live" | "missing",
  limit: number,
): Promise<Compared[]> {
  const { rows } = await client.query<{ kind: ViewKind; id: string; live: Registers | null; rebuilt: Registers | null }>(
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
  return rows;
}

export type KindHash = { kind: ViewKind; records: number; hash: string };

/** Hashes the SHA-256 of each record in the order of IDs: equal for the same registers. jsonb writes equal values alike. */
export async function hashKinds(client: pg.PoolClient, workspaceId: WorkspaceId, side: "live" | "rebuilt"): Promise<KindHash[]> {
  const { rows } = await client.query<KindHash>(
    `SELECT kind, count(*) AS records,
       encode(sha256(string_agg(sha256(convert_to(id || E'\\n' || registers::text, 'UTF8')), ''::bytea ORDER BY id COLLATE "C")), 'hex') AS hash
     FROM ${side === "live" ? LIVE : `(SELECT ${COLUMNS} FROM views_shadow WHERE workspace_id = $1)`} v GROUP BY kind ORDER BY kind`,
    [workspaceId],
  );
  return rows;
}

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
