import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { ViewKind } from "#lib/contracts/views";
import { mergeRecords } from "./fold.ts";
import type { Registers } from "./register.ts";
import { FOLDED_COLUMNS, foldedParameters, foldedValues, type KeptView } from "./view-columns.ts";

// The shadow of a workspace's views: temporary tables of one connection, so a
// crash can leave nothing behind that could pass for a finished rebuild.
//   views_shadow     what the log makes
//   views_ahead      live views as they will be when what waits in the inbox is applied
//   views_differing  the keys in which live and shadow differ

const KEYS = 2000;

/** Makes the empty tables. */
export async function createShadow(client: pg.PoolClient): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE views_shadow (LIKE views INCLUDING DEFAULTS, PRIMARY KEY (id, kind));
    CREATE TEMP TABLE views_ahead (LIKE views INCLUDING DEFAULTS, PRIMARY KEY (id, kind));
    CREATE TEMP TABLE views_differing (id text, kind text, live boolean, rebuilt boolean, PRIMARY KEY (id, kind))`);
}

type Shadow = "views_shadow" | "views_ahead";

/** Merges folds of parts of the log into the shadow. */
export async function mergeIntoShadow(client: pg.PoolClient, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  for (let at = 0; at < views.length; at += KEYS) {
    const part = views.slice(at, at + KEYS);
    const standing = await findIn(client, "views_shadow", part);
    const merged = part.map(({ kind, id, registers }) => {
      const before = standing.get(`${kind} ${id}`);
      return { kind, id, registers: before ? mergeRecords(kind, before, registers) : registers };
    });
    await saveShadow(client, "views_shadow", workspaceId, merged);
  }
}

/** Writes records as they are. */
export async function saveShadow(client: pg.PoolClient, table: Shadow, workspaceId: WorkspaceId, views: KeptView[]): Promise<void> {
  if (views.length === 0) return;
  const columns = FOLDED_COLUMNS.join(", ");
  await client.query({
    name: `${table}-save`,
    text: `INSERT INTO ${table} (workspace_id, kind, id, ${columns})
      SELECT $1, k, i, ${columns} FROM unnest($2::text[], $3::text[], ${foldedParameters(4)}) AS u(k, i, ${columns})
      ON CONFLICT (id, kind) DO UPDATE SET ${FOLDED_COLUMNS.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}`,
    values: [workspaceId, views.map(({ kind }) => kind), views.map(({ id }) => id), ...foldedValues(views)],
  });
}

/**
 * The live registers of these records, as they will be when everything that was
 * noted in `views_ahead` is applied.
 */
export async function findAhead(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  keys: { kind: ViewKind; id: string }[],
): Promise<Map<string, Registers>> {
  const live = await findIn(client, "views", keys, workspaceId);
  const ahead = await findIn(client, "views_ahead", keys);
  return new Map([...live, ...ahead]);
}

async function findIn(
  client: pg.PoolClient,
  table: Shadow | "views",
  keys: { kind: ViewKind; id: string }[],
  workspaceId: WorkspaceId | null = null,
): Promise<Map<string, Registers>> {
  const { rows } = await client.query<{ kind: ViewKind; id: string; registers: Registers }>({
    name: `${table}-find`,
    text: `SELECT v.kind, v.id, v.registers FROM ${table} v
      JOIN unnest($1::text[], $2::text[]) AS u(k, i) ON v.id = u.i AND v.kind IS NOT DISTINCT FROM u.k
      WHERE $3::text IS NULL OR v.workspace_id IS NOT DISTINCT FROM $3`,
    values: [keys.map(({ kind }) => kind), keys.map(({ id }) => id), workspaceId],
  });
  return new Map(rows.map(({ kind, id, registers }) => [`${kind} ${id}`, registers]));
}
