import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { recordsWithinBytes } from "#lib/db/within-bytes";
import { FOLDED_COLUMNS, foldedParameters, foldedSql, foldedValues, type KeptView } from "#lib/views/definition/view-columns";
import { mergeRecords } from "#lib/views/fold/fold";
import type { Registers } from "#lib/views/fold/register";
import { repaired } from "#lib/views/stored-record";

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
    values: [workspaceId, views.map(({ kind }) => kind), views.map(({ id }) => id), ...foldedValues(views)],
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
    values: [keys.map(({ kind }) => kind), keys.map(({ id }) => id), workspaceId],
  });
  return new Map(
    rows.map(({ kind, id, registers }) => [`${kind} ${id}`, table === "views_ahead" && registers ? repaired(kind, registers) : registers]),
  );
}
