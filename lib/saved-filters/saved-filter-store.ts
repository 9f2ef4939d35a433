import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { type SavedFilter, savedFilterPage } from "#lib/contracts/saved-filters";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** ID of a person, or of an API key. */
export type Owner = { id: string; name: string };

export type StoredFilter = Omit<SavedFilter, "own"> & { ownerId: string };

type Row = Omit<StoredFilter, "createdAt" | "page" | "filter"> & { createdAt: Date; page: string; filter: unknown };

const SEEN = { id: true, name: true, page: true, filter: true, shared: true, ownerId: true, ownerName: true, createdAt: true } as const;
const COLUMNS = 'id, name, page, filter, shared, owner_id AS "ownerId", owner_name AS "ownerName", created_at AS "createdAt"';

export async function listSavedFilters(workspaceId: WorkspaceId, ownerId: string): Promise<StoredFilter[]> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM saved_filters WHERE workspace_id = $1 AND (shared OR owner_id = $2) ORDER BY lower(name), id`,
    [workspaceId, ownerId],
  );
  return rows.flatMap(storedOf);
}

export async function findSavedFilter(workspaceId: WorkspaceId, ownerId: string, id: string): Promise<StoredFilter | null> {
  const row = await prisma().savedFilter.findFirst({ where: { workspaceId, id, OR: [{ shared: true }, { ownerId }] }, select: SEEN });
  return row ? (storedOf(row)[0] ?? null) : null;
}

type NewFilter = Pick<StoredFilter, "name" | "page" | "filter" | "shared">;

/** Returns null when the owner has `most` already. */
export async function insertSavedFilter(
  workspaceId: WorkspaceId,
  owner: Owner,
  { name, page, filter, shared }: NewFilter,
  most: number,
): Promise<StoredFilter | null> {
  const { rows } = await pool().query<Row>(
    `INSERT INTO saved_filters (id, workspace_id, owner_id, owner_name, name, page, filter, shared)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8
      WHERE (SELECT count(*) FROM saved_filters WHERE workspace_id = $2 AND owner_id = $3) < $9 RETURNING ${COLUMNS}`,
    [newId("flt"), workspaceId, owner.id, owner.name, name, page, JSON.stringify(filter), shared, most],
  );
  return rows.flatMap(storedOf)[0] ?? null;
}

export async function updateSavedFilter(
  workspaceId: WorkspaceId,
  id: string,
  { name, filter, shared }: Omit<NewFilter, "page">,
): Promise<StoredFilter | null> {
  const rows = await prisma().savedFilter.updateManyAndReturn({ where: { workspaceId, id }, data: { name, filter, shared }, select: SEEN });
  return rows.flatMap(storedOf)[0] ?? null;
}

export async function deleteSavedFilter(workspaceId: WorkspaceId, id: string): Promise<void> {
  await prisma().savedFilter.deleteMany({ where: { workspaceId, id } });
}

/** Leaves out a filter of a page that a later version had. */
function storedOf(row: Row): StoredFilter[] {
  const page = savedFilterPage.safeParse(row.page);
  return page.success
    ? [{ ...row, page: page.data, filter: row.filter as StoredFilter["filter"], createdAt: row.createdAt.toISOString() }]
    : [];
}
