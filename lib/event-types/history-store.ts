import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { type SchemaChange, type SchemaVersion, schemaChange, schemaVersion } from "#lib/contracts/event-types";
import { answered, arraysOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { queryValue } from "#lib/db/rows";
import type { SchemaTree } from "./schema.ts";

export type NewChange = {
  workspaceId: WorkspaceId;
  schemaId: string;
  kind: SchemaChange["kind"];
  path: string | null;
  detail: string | null;
  eventId: string | null;
  eventAt: Date | null;
  by: string | null;
};

/** Lines that are kept of a schema. */
const KEPT = 1000;

export async function insertChanges(client: pg.PoolClient, changes: NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  await client.query({
    name: "event-schema-changes-insert",
    text: `INSERT INTO event_schema_changes (workspace_id, schema_id, kind, path, detail, event_id, event_at, made_by)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])`,
    values: arraysOf(changes, "workspaceId", "schemaId", "kind", "path", "detail", "eventId", "eventAt", "by"),
  });
  await client.query(
    `DELETE FROM event_schema_changes c USING unnest($1::text[]) AS u(id)
     WHERE c.schema_id = u.id AND c.id <= (SELECT k.id FROM event_schema_changes k WHERE k.schema_id = u.id ORDER BY k.id DESC OFFSET ${KEPT} LIMIT 1)`,
    [[...new Set(changes.map(({ schemaId }) => schemaId))]],
  );
}

type ChangeRow = Omit<NewChange, "workspaceId" | "schemaId"> & { id: number; at: Date };

const CURSOR = new Cursor("event_schema_changes", { id: "integer" });

/** Lists a schema's history, newest first. @param filter `event`: what this event brought */
export async function listChanges(
  workspaceId: WorkspaceId,
  schemaId: string,
  filter: { path?: string | undefined; event?: string | undefined },
  { limit, cursor }: Paging,
): Promise<Page<SchemaChange>> {
  const of = { schemaId, ...filter };
  const after = CURSOR.decode(cursor, of);
  const { rows } = await pool().query<ChangeRow>(
    `SELECT id, at, kind, path, detail, event_id AS "eventId", event_at AS "eventAt", made_by AS by FROM event_schema_changes
     WHERE workspace_id = $1 AND schema_id = $2 AND ($3::text IS NULL OR path = $3) AND ($4::text IS NULL OR event_id = $4)
       AND ($5::bigint IS NULL OR id < $5) ORDER BY id DESC LIMIT $6`,
    [workspaceId, schemaId, filter.path ?? null, filter.event ?? null, after?.id ?? null, limit + 1],
  );
  return { data: rows.slice(0, limit).map(changeOf), nextCursor: CURSOR.next(rows, limit, of) };
}

const changeOf = ({ id, eventId, eventAt, ...row }: ChangeRow): SchemaChange => {
  const event = eventId !== null && eventAt ? { id: eventId, at: eventAt.toISOString() } : null;
  return answered(schemaChange, { ...row, id: String(id), event });
};

type VersionRow = Omit<SchemaVersion, "createdAt"> & { createdAt: Date };

const VERSION = `number, hash, reason, fields, created_at AS "createdAt", created_by AS "createdBy"`;

/** Lists versions without their fields, the newest first. */
export async function listVersions(workspaceId: WorkspaceId, schemaId: string, from: Connection = pool()): Promise<SchemaVersion[]> {
  const { rows } = await from.query<VersionRow>(
    `SELECT ${VERSION} FROM event_schema_versions WHERE workspace_id = $1 AND schema_id = $2 ORDER BY number DESC`,
    [workspaceId, schemaId],
  );
  return rows.map((row) => answered(schemaVersion, row));
}

export const findVersionTree = (
  workspaceId: WorkspaceId,
  schemaId: string,
  number: number,
  from: Connection = pool(),
): Promise<SchemaTree | null> =>
  queryValue<{ tree: SchemaTree }>(
    from,
    "SELECT tree FROM event_schema_versions WHERE workspace_id = $1 AND schema_id = $2 AND number = $3",
    [workspaceId, schemaId, number],
  );

type NewVersion = Pick<SchemaVersion, "number" | "hash" | "reason" | "createdBy"> & { tree: SchemaTree };

export async function insertVersion(client: pg.PoolClient, workspaceId: WorkspaceId, schemaId: string, version: NewVersion): Promise<void> {
  await client.query(
    `INSERT INTO event_schema_versions (schema_id, number, workspace_id, hash, reason, fields, tree, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      schemaId,
      version.number,
      workspaceId,
      version.hash,
      version.reason,
      Object.keys(version.tree.fields).length,
      JSON.stringify(version.tree),
      version.createdBy,
    ],
  );
}

/** Takes values out of history lines once the log does not hold them any more. */
export async function forgetValues(client: pg.PoolClient, schemaId: string, path: string, values: string[]): Promise<void> {
  await client.query(
    "DELETE FROM event_schema_changes WHERE schema_id = $1 AND kind = 'value_appeared' AND path = $2 AND detail = ANY($3::text[])",
    [schemaId, path, values],
  );
}
