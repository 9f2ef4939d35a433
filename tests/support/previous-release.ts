import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** The receiver's statement of the release whose first deliveries stood in the inbox, for events `evt_<first>` to `evt_<last>`. */
export async function appendAsBefore(
  { workspaceId, sourceId }: { workspaceId: WorkspaceId; sourceId: SourceId },
  first: number,
  last: number,
): Promise<void> {
  await pool().query(
    `WITH input AS MATERIALIZED (
       SELECT n, nextval('events_seq') AS seq, 'evt_' || n AS event_id, now() AS at, convert_to(json_build_object('id', 'evt_' || n,
         'type', 'document.uploaded', 'created', 1760000000 + n, 'data', json_build_object('documentId', 'doc_' || n))::text, 'UTF8') AS body
       FROM generate_series($3::int, $4::int) n),
     fresh AS (
       INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256)
       SELECT $2, event_id, $1, at, seq, sha256(body) FROM input ON CONFLICT DO NOTHING RETURNING event_id),
     logged AS (
       INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
       SELECT at, seq, $1, $2, event_id, 'document.uploaded', 1760000000 + n, true, 'raw', 'sec', body, '{}' FROM input JOIN fresh USING (event_id)),
     queued AS (
       INSERT INTO inbox (workspace_id, received_at, seq) SELECT $1, at, seq FROM input JOIN fresh USING (event_id) ORDER BY seq)
     SELECT 1`,
    [workspaceId, sourceId, first, last],
  );
}
