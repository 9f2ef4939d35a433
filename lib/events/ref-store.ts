import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ResourceRef } from "#lib/contracts/events/events";

export type EventRefs = { workspaceId: WorkspaceId; receivedAt: Date; seq: number; refs: ResourceRef[] };

export async function insertRefs(client: pg.PoolClient, events: EventRefs[]): Promise<void> {
  const rows = events.flatMap(({ refs, ...event }) => refs.map((ref) => ({ ...event, ...ref })));
  if (rows.length === 0) return;
  await client.query({
    name: "refs-insert",
    text: `INSERT INTO event_refs (workspace_id, kind, ref, received_at, seq)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[]) ON CONFLICT DO NOTHING`,
    values: [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.kind),
      rows.map((row) => row.id),
      rows.map((row) => row.receivedAt.toISOString()),
      rows.map((row) => row.seq),
    ],
  });
}
