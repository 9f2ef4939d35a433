import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { type SavedFilter, savedFilterPage } from "#lib/contracts/saved-filters/saved-filters";
import { pool } from "#lib/db/pool";

/** The caller: the id of a person or of an API key. */
export type Owner = { id: string; name: string };

/** One with its owner's id, for those who decide. */
export type StoredFilter = Omit<SavedFilter, "own"> & { ownerId: string };

type Row = Omit<StoredFilter, "createdAt" | "page"> & { createdAt: Date; page: string };

const COLUMNS = 'id, name, page, filter, shared, owner_id AS "ownerId", owner_name AS "ownerName", created_at AS "createdAt"';

/** The shared ones and the owner's own, by name. */
export async function listSavedFilters(workspaceId: WorkspaceId, ownerId: string): Promise<StoredFilter[]> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM saved_filters WHERE workspace_id = $1 AND (shared OR owner_id = $2) ORDER BY lower(name), id`,
    [workspaceId, ownerId],
  );
  return rows.flatMap(storedOf);
}

/** One that is shared or the owner's own; null when there is none of that id for them. */
export async function findSavedFilter(workspaceId: WorkspaceId, ownerId: string, id: string): Promise<StoredFilter | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM saved_filters WHERE workspace_id = $1 AND id = $3 AND (shared OR owner_id = $2)`,
    [workspaceId, ownerId, id],
  );
  return rows.flatMap(storedOf)[0] ?? null;
}

type NewFilter = Pick<StoredFilter, "name" | "page" | "filter" | "shared">;

/**
 * Saves a filter unless the owner has as many as they may.
 *
 * @returns null when they have `most`
 */
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

/** Writes name, filter and sharing. @returns null when it has gone */
export async function updateSavedFilter(
  workspaceId: WorkspaceId,
  id: string,
  { name, filter, shared }: Omit<NewFilter, "page">,
): Promise<StoredFilter | null> {
  const { rows } = await pool().query<Row>(
    `UPDATE saved_filters SET name = $3, filter = $4, shared = $5 WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [workspaceId, id, name, JSON.stringify(filter), shared],
  );
  return rows.flatMap(storedOf)[0] ?? null;
}

export async function deleteSavedFilter(workspaceId: WorkspaceId, id: string): Promise<void> {
  await pool().query("DELETE FROM saved_filters WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
}

/** One of a page that a later version had is passed over. */
function storedOf(row: Row): StoredFilter[] {
  const page = savedFilterPage.safeParse(row.page);
  return page.success ? [{ ...row, page: page.data, createdAt: row.createdAt.toISOString() }] : [];
}
