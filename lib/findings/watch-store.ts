import type pg from "pg";

/** How far the watch has read: the last changed view, and the newest event whose source's pace was noted. */
export type WatchPlace = { updatedAt: Date; viewId: string; heardAt: Date };

/**
 * Where the watch stands, locked until the transaction ends: one worker watches
 * at a time. A new installation begins at the beginning.
 *
 * @returns null while another worker watches
 */
export async function claimWatch(client: pg.ClientBase): Promise<WatchPlace | null> {
  await client.query(
    "INSERT INTO finding_watch (id, updated_at, view_id, heard_at) VALUES (1, 'epoch', '', now() - interval '1 hour') ON CONFLICT DO NOTHING",
  );
  const { rows } = await client.query<WatchPlace>(
    `SELECT updated_at AS "updatedAt", view_id AS "viewId", heard_at AS "heardAt" FROM finding_watch WHERE id = 1 FOR UPDATE SKIP LOCKED`,
  );
  return rows[0] ?? null;
}

/** Notes how far the watch has come; in the transaction that claimed it. */
export async function saveWatch(client: pg.ClientBase, { updatedAt, viewId, heardAt }: WatchPlace): Promise<void> {
  await client.query("UPDATE finding_watch SET updated_at = $1, view_id = $2, heard_at = $3 WHERE id = 1", [updatedAt, viewId, heardAt]);
}
