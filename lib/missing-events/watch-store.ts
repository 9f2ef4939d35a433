import type pg from "pg";

/** How far the watch has read: the last changed view, and the newest event whose source's cadence was noted. */
export type WatchPlace = { updatedAt: Date; viewId: string; arrivalsUntil: Date };

/**
 * Where the watch stands, locked until the transaction ends: one worker watches
 * at a time. A new installation begins at the beginning.
 *
 * @returns null while another worker watches
 */
export async function claimWatch(client: pg.ClientBase): Promise<WatchPlace | null> {
  await client.query(
    "INSERT INTO missing_event_watch (id, updated_at, view_id, arrivals_until) VALUES (1, 'epoch', '', now() - interval '1 hour') ON CONFLICT DO NOTHING",
  );
  const { rows } = await client.query<WatchPlace>(
    `SELECT updated_at AS "updatedAt", view_id AS "viewId", arrivals_until AS "arrivalsUntil" FROM missing_event_watch WHERE id = 1 FOR UPDATE SKIP LOCKED`,
  );
  return rows[0] ?? null;
}

/** Notes how far the watch has come; in the transaction that claimed it. */
export async function saveWatch(client: pg.ClientBase, { updatedAt, viewId, arrivalsUntil }: WatchPlace): Promise<void> {
  await client.query("UPDATE missing_event_watch SET updated_at = $1, view_id = $2, arrivals_until = $3 WHERE id = 1", [
    updatedAt,
    viewId,
    arrivalsUntil,
  ]);
}
