import { createHash } from "node:crypto";
import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { arraysOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { queryRows, queryValues } from "#lib/db/rows";
import { emptyWatch, type Watch } from "./learn.ts";
import type { PinnedField } from "./live-field.ts";
import { emptyTree } from "./merge.ts";
import { type FieldPath, type FieldStats, MAX_SCHEMAS, type SchemaTree } from "./schema.ts";

export type SchemaKey = { workspaceId: WorkspaceId; sourceId: SourceId; type: string; variant: string };

/** Returns the same ID for the same type of a source: `ety_` and 24 hexadecimal digits (96 bits). */
export function schemaIdOf({ workspaceId, sourceId, type, variant }: SchemaKey): string {
  const hash = createHash("sha256").update(JSON.stringify([workspaceId, sourceId, type, variant]));
  return `ety_${hash.digest("hex").slice(0, 24)}`;
}

/** What a schema is pinned to, and what deviated from it. `version` null: a file's JSON Schema. */
export type StoredPin = {
  version: number | null;
  file: string | null;
  hash: string;
  at: string;
  by: string | null;
  fields: Record<FieldPath, PinnedField>;
};

export type FieldSetting = { path: FieldPath; ignored: boolean; map: boolean; notEnumeration: boolean };

export type StoredSchema = SchemaKey & {
  id: string;
  state: "observed" | "not_learnt";
  tree: SchemaTree;
  watch: Watch;
  generation: number;
  /** While it is relearnt: what was received from then on. */
  nextTree: SchemaTree | null;
  nextFrom: Date | null;
  pin: StoredPin | null;
  settings: FieldSetting[];
};

type Row = Omit<StoredSchema, "tree" | "watch"> & { tree: Partial<SchemaTree>; watch: Partial<Watch> };

const COLUMNS = `s.id, s.workspace_id AS "workspaceId", s.source_id AS "sourceId", s.type, s.variant, s.state, s.tree, s.watch, s.generation,
  s.next_tree AS "nextTree", s.next_from AS "nextFrom", s.pin,
  coalesce((SELECT jsonb_agg(jsonb_build_object('path', f.path, 'ignored', f.ignored, 'map', f.map, 'notEnumeration', f.not_enumeration) ORDER BY f.path)
    FROM event_schema_settings f WHERE f.schema_id = s.id), '[]') AS settings`;

const schemaOf = ({ tree, watch, ...row }: Row): StoredSchema => ({
  ...row,
  tree: { ...emptyTree(), ...tree },
  watch: { ...emptyWatch(), ...watch },
});

/** Schemas that are not learnt are named up to this number. */
const MAX_NAMED = 100;

/** Makes the rows of types that are seen for the first time. Beyond 500 of a workspace they are named and not learnt, beyond 600 not even that.
 * One worker at a time counts those of a workspace. */
export async function insertSchemas(client: pg.PoolClient, schemas: (SchemaKey & { id: string })[]): Promise<void> {
  const workspaceIds = [...new Set(schemas.map(({ workspaceId }) => workspaceId))].sort();
  for (const workspaceId of workspaceIds) {
    const ours = schemas.filter((each) => each.workspaceId === workspaceId);
    await client.query("SELECT pg_advisory_xact_lock(hashtext('event_schemas'), hashtext($1))", [workspaceId]);
    await client.query(
      `INSERT INTO event_schemas (id, workspace_id, source_id, type, variant, state)
       SELECT u.id, $1, u.source_id, u.type, u.variant, CASE WHEN known.n + u.at <= ${MAX_SCHEMAS} THEN 'observed' ELSE 'not_learnt' END
       FROM (SELECT count(*) AS n FROM event_schemas WHERE workspace_id = $1) known
       CROSS JOIN LATERAL (
         SELECT row_number() OVER (ORDER BY n.id) AS at, n.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS n(id, source_id, type, variant)
         WHERE NOT EXISTS (SELECT 1 FROM event_schemas e WHERE e.id = n.id) AND EXISTS (SELECT 1 FROM sources s WHERE s.id = n.source_id)) u
       WHERE known.n + u.at <= ${MAX_SCHEMAS + MAX_NAMED} ORDER BY u.id ON CONFLICT DO NOTHING`,
      [workspaceId, ...arraysOf(ours, "id", "sourceId", "type", "variant")],
    );
  }
}

/** Locks schemas until the transaction ends, in the order of their IDs. */
export async function lockSchemas(client: pg.PoolClient, ids: string[]): Promise<StoredSchema[]> {
  const { rows } = await client.query<Row>({
    name: "event-schemas-lock",
    text: `SELECT ${COLUMNS} FROM event_schemas s WHERE s.id = ANY($1::text[]) ORDER BY s.id FOR UPDATE`,
    values: [ids],
  });
  return rows.map(schemaOf);
}

export async function findSchemas(ids: string[], from: Connection = pool("worker")): Promise<StoredSchema[]> {
  const { rows } = await from.query<Row>(`SELECT ${COLUMNS} FROM event_schemas s WHERE s.id = ANY($1::text[]) ORDER BY s.id`, [ids]);
  return rows.map(schemaOf);
}

export async function findSchema(workspaceId: WorkspaceId, id: string): Promise<StoredSchema | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM event_schemas s WHERE s.workspace_id = $1 AND s.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ? schemaOf(rows[0]) : null;
}

/** Lists the schemas that changed last, for a worker that starts. */
export const listRecentIds = (limit: number): Promise<string[]> =>
  queryValues<{ id: string }>(
    pool("worker"),
    "SELECT id FROM event_schemas WHERE updated_at > now() - interval '7 days' ORDER BY updated_at DESC LIMIT $1",
    [limit],
  );

export type LearntSchema = Pick<StoredSchema, "id" | "tree" | "watch" | "nextTree"> & { changedAt: Date | null };

/** Writes what was learnt, in one statement. The rows are locked. */
export async function saveLearnt(client: pg.PoolClient, schemas: LearntSchema[]): Promise<void> {
  const at = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  const rows = schemas.map(({ id, tree, watch, nextTree, changedAt }) => ({
    ...{ id, changedAt, tree: JSON.stringify(tree), watch: JSON.stringify(watch), nextTree: nextTree && JSON.stringify(nextTree) },
    ...{ events: tree.events, fields: Object.keys(tree.fields).length },
    ...{ firstAt: at(tree.fields.data?.first[1]), lastAt: at(tree.fields.data?.last[1]) },
  }));
  await client.query({
    name: "event-schemas-save",
    text: `UPDATE event_schemas s SET tree = u.tree::jsonb, watch = u.watch::jsonb, next_tree = u.next_tree::jsonb, events = u.events, fields = u.fields,
        first_event_at = u.first_at, last_event_at = u.last_at, last_change_at = coalesce(u.changed_at, s.last_change_at), updated_at = now()
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::timestamptz[], $8::timestamptz[], $9::timestamptz[])
        AS u(id, tree, watch, next_tree, events, fields, first_at, last_at, changed_at) WHERE s.id = u.id`,
    values: arraysOf(rows, "id", "tree", "watch", "nextTree", "events", "fields", "firstAt", "lastAt", "changedAt"),
  });
}

/** Lists schemas that people or operations changed a moment ago: workers that know them read them again. */
export const listTold = (seconds: number): Promise<string[]> =>
  queryValues<{ id: string }>(pool("worker"), "SELECT id FROM event_schemas WHERE told_at > now() - make_interval(secs => $1)", [seconds]);

/** Begins to relearn: what is received from a moment on is counted apart. */
export async function beginRelearning(client: pg.PoolClient, workspaceId: WorkspaceId, id: string, nextFrom: Date): Promise<void> {
  await client.query("UPDATE event_schemas SET next_tree = '{}', next_from = $3, told_at = now() WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    nextFrom.toISOString(),
  ]);
}

/** Ends relearning, with or without what came of it. */
export async function endRelearning(client: pg.PoolClient, workspaceId: WorkspaceId, id: string, done: boolean): Promise<void> {
  await client.query(
    `UPDATE event_schemas SET next_tree = NULL, next_from = NULL, generation = generation + CASE WHEN $3 THEN 1 ELSE 0 END, told_at = now()
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, done],
  );
}

/** Writes what a person changed, and lets workers read it. */
export async function saveTold(
  client: pg.PoolClient,
  { id, tree, watch, pin }: Pick<StoredSchema, "id" | "tree" | "watch" | "pin">,
): Promise<void> {
  await client.query(
    "UPDATE event_schemas SET tree = $2, watch = $3, pin = $4, fields = $5, told_at = now(), updated_at = now() WHERE id = $1",
    [id, JSON.stringify(tree), JSON.stringify(watch), pin && JSON.stringify(pin), Object.keys(tree.fields).length],
  );
}

export async function saveSetting(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  schemaId: string,
  setting: FieldSetting,
  by: string,
): Promise<void> {
  const { path, ignored, map, notEnumeration } = setting;
  await prisma(client).eventSchemaSetting.upsert({
    where: { schemaId_path: { schemaId, path } },
    create: { schemaId, path, workspaceId, ignored, map, notEnumeration, changedBy: by },
    update: { ignored, map, notEnumeration, changedBy: by },
  });
}

export type ListedSchema = SchemaKey & {
  id: string;
  source: string;
  state: "observed" | "not_learnt";
  isPinned: boolean;
  events: number;
  fields: number;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
  lastChangeAt: Date | null;
  version: number | null;
  breaking: number;
  warning: number;
  info: number;
};

/** Lists a workspace's schemas without their fields. */
export const listSchemas = (
  workspaceId: WorkspaceId,
  { id, source, type }: { id?: string | undefined; source?: string | undefined; type?: string | undefined } = {},
): Promise<ListedSchema[]> =>
  queryRows<ListedSchema>(
    pool(), // Counted once for all: a look for each schema is a walk over all open drifts where the planner takes their index for small.
    `WITH open AS MATERIALIZED (
       SELECT schema_id, count(*) FILTER (WHERE severity = 'breaking')::int AS breaking, count(*) FILTER (WHERE severity = 'warning')::int AS warning,
         count(*) FILTER (WHERE severity = 'info')::int AS info
       FROM event_schema_drifts WHERE workspace_id = $1 AND state = 'open' AND ($2::text IS NULL OR schema_id = $2) GROUP BY schema_id)
     SELECT s.id, s.workspace_id AS "workspaceId", s.source_id AS "sourceId", src.name AS source, s.type, s.variant, s.state, s.pin IS NOT NULL AS "isPinned",
       s.events, s.fields, s.first_event_at AS "firstEventAt", s.last_event_at AS "lastEventAt", s.last_change_at AS "lastChangeAt",
       (SELECT max(v.number) FROM event_schema_versions v WHERE v.schema_id = s.id) AS version,
       coalesce(o.breaking, 0) AS breaking, coalesce(o.warning, 0) AS warning, coalesce(o.info, 0) AS info
     FROM event_schemas s JOIN sources src ON src.id = s.source_id LEFT JOIN open o ON o.schema_id = s.id
     WHERE s.workspace_id = $1 AND ($2::text IS NULL OR s.id = $2) AND ($3::text IS NULL OR src.name = $3) AND ($4::text IS NULL OR s.type = $4)
     ORDER BY src.name, s.type, s.variant`,
    [workspaceId, id ?? null, source ?? null, type ?? null],
  );

/** A field that may hold a value, of a schema with so many `events`. */
export type LearntField = Pick<SchemaKey, "sourceId" | "type"> & {
  events: number;
  path: FieldPath;
  n: number;
  types: string[];
  values: FieldStats["values"];
};

/** Fields that are listed together: their schemas are read whole. */
const MAX_LISTED = 4000;

/** Lists the fields of the types that were received last, as webhooks. @param sourceId of one source; null for all */
export const listLearntFields = (workspaceId: WorkspaceId, sourceId: string | null): Promise<LearntField[]> =>
  queryRows<LearntField>(
    pool(),
    `SELECT s.source_id AS "sourceId", s.type, s.events, f.path, (f.stats->>'n')::bigint AS n, ARRAY(SELECT jsonb_object_keys(f.stats->'types')) AS types,
       nullif(f.stats->'values', 'null') AS values
     FROM (SELECT source_id, type, events, tree, sum(fields) OVER (ORDER BY last_event_at DESC NULLS LAST, id) AS so_far FROM event_schemas
           WHERE workspace_id = $1 AND state = 'observed' AND variant <> 'fetched' AND ($2::text IS NULL OR source_id = $2)) s, jsonb_each(s.tree->'fields') AS f(path, stats)
     WHERE s.so_far <= ${MAX_LISTED} AND f.stats->'types' ?| '{boolean,number,string}'`,
    [workspaceId, sourceId],
  );

/** What a type's events a day were before they fell or rose. */
export type VolumeWatch = { driftId: string; fewest: number; most: number };

export type WatchedVolume = { id: string; sourceId: SourceId; type: string; volume: VolumeWatch | null };

/** Lists the types whose volume is watched: one row for all variants of a type. */
export const listWatchedVolumes = (): Promise<WatchedVolume[]> =>
  queryRows<WatchedVolume>(
    pool("worker"),
    `SELECT DISTINCT ON (s.source_id, s.type) s.id, s.source_id AS "sourceId", s.type, s.volume FROM event_schemas s
     WHERE s.state = 'observed' AND s.variant <> 'fetched' ORDER BY s.source_id, s.type, s.variant`,
  );

export async function saveVolume(client: pg.PoolClient, id: string, volume: VolumeWatch | null): Promise<void> {
  await client.query("UPDATE event_schemas SET volume = $2 WHERE id = $1", [id, volume && JSON.stringify(volume)]);
}

/** An expired value's schema: the oldest event that its source still has in the log. */
export type KeptSince = { id: string; keptSince: Date | null };

/** Lists schemas, after one, with the moment from which on their source's events are kept; null when none is. */
export const listKeptSince = (after: string, limit: number): Promise<KeptSince[]> =>
  queryRows<KeptSince>(
    pool("worker"),
    `SELECT s.id, greatest(src.gone_before, oldest.at) AS "keptSince" FROM event_schemas s JOIN sources src ON src.id = s.source_id
     LEFT JOIN LATERAL (SELECT min(e.received_at) AS at FROM events e WHERE e.workspace_id = s.workspace_id) oldest ON true
     WHERE s.id > $1 AND s.state = 'observed' ORDER BY s.id LIMIT $2`,
    [after, limit],
  );
