import type pg from "pg";

/** A moment by which all received events are applied, except in the workspaces in which one waited. */
export type Picture = {
  /** ISO 8601. */
  at: string;
  /** Everything committed by then has a lower position. */
  position: string;
  /** When the oldest waiting event was received, by workspace: ISO 8601. */
  waiting: Record<string, string>;
};

export type WatchPlace = {
  /** The last changed view: its position, then `key` is its ID, kind and workspace. */
  xid: string;
  key: string[];
  /** The oldest picture that the watch has not caught up with; null when there is none. */
  picture: Picture | null;
};

/** Locks the place, as one worker watches at a time. Returns null while another does. */
export async function claimWatch(client: pg.ClientBase): Promise<WatchPlace | null> {
  await client.query(
    `INSERT INTO missing_event_watch (id, updated_at, view_id, arrivals_until, changed_xid, changed_key)
     VALUES (1, 'epoch', '', now() - interval '1 hour', '0', '{}') ON CONFLICT DO NOTHING`,
  );
  const { rows } = await client.query<WatchPlace>(
    `SELECT coalesce(changed_xid, '0')::text AS xid, coalesce(changed_key, '{}') AS key, picture
     FROM missing_event_watch WHERE id = 1 FOR UPDATE SKIP LOCKED`,
  );
  return rows[0] ?? null;
}

export async function saveWatch(client: pg.ClientBase, { xid, key, picture }: WatchPlace): Promise<void> {
  await client.query("UPDATE missing_event_watch SET changed_xid = $1::xid8, changed_key = $2, picture = $3 WHERE id = 1", [
    xid,
    key,
    picture && JSON.stringify(picture),
  ]);
}
