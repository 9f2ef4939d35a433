import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";

export type UndeliveredEvent = { issueId: string; workspaceId: WorkspaceId; receivedAt: Date; seq: number; failedAt: Date };

/** Never an event's own subject, so that applying it does not settle these. */
const SUBJECT = "destination:";

/** Files events under the issues of their destinations; a settled one counts as failed again. */
export async function insertUndelivered(client: pg.PoolClient, events: UndeliveredEvent[]): Promise<void> {
  const column = <T>(pick: (each: UndeliveredEvent) => T) => events.map(pick);
  await client.query({
    name: "issue-events-undelivered",
    text: `INSERT INTO issue_events (issue_id, received_at, seq, workspace_id, created, subject, failed_at)
      SELECT i, r, s, w, floor(extract(epoch FROM r)), '${SUBJECT}', at
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::timestamptz[]) AS u(i, r, s, w, at) ORDER BY i, r, s
      ON CONFLICT (issue_id, received_at, seq) DO UPDATE SET failed_at = excluded.failed_at, settled_at = NULL`,
    values: [
      column(({ issueId }) => issueId),
      column(({ receivedAt }) => receivedAt.toISOString()),
      column(({ seq }) => seq),
      column(({ workspaceId }) => workspaceId),
      column(({ failedAt }) => failedAt.toISOString()),
    ],
  });
}

/** Settles events that a destination got after all. Returns the issues that they left. */
export async function settleDelivered(
  client: pg.PoolClient,
  events: Pick<UndeliveredEvent, "issueId" | "receivedAt" | "seq">[],
  now: Date,
): Promise<string[]> {
  const { rows } = await client.query<{ issue_id: string }>({
    name: "issue-events-delivered",
    text: `UPDATE issue_events o SET settled_at = $4 FROM unnest($1::text[], $2::timestamptz[], $3::bigint[]) AS u(i, r, s)
      WHERE o.issue_id = u.i AND o.received_at = u.r AND o.seq = u.s AND o.settled_at IS NULL RETURNING o.issue_id`,
    values: [
      events.map(({ issueId }) => issueId),
      events.map(({ receivedAt }) => receivedAt.toISOString()),
      events.map(({ seq }) => seq),
      now.toISOString(),
    ],
  });
  return [...new Set(rows.map(({ issue_id }) => issue_id))];
}

/** Settles all failed events of these issues. Returns the issues that had any. */
export async function settleWhole(client: pg.PoolClient, issueIds: string[], now: Date): Promise<string[]> {
  const { rows } = await client.query<{ issue_id: string }>(
    "UPDATE issue_events SET settled_at = $2 WHERE issue_id = ANY($1::text[]) AND settled_at IS NULL RETURNING issue_id",
    [issueIds, now.toISOString()],
  );
  return [...new Set(rows.map(({ issue_id }) => issue_id))];
}
