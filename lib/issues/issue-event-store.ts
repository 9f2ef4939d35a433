import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { arraysOf } from "#lib/db/columns";
import { queryValues } from "#lib/db/rows";
import { eventSecondsSql } from "#lib/db/sql";

type Place = { workspaceId: WorkspaceId; receivedAt: Date; seq: number };

export type FailedEvent = Place & {
  issueId: string;
  /** Time that orders it, in Unix seconds (`eventSeconds`). */
  created: number;
  failedAt: Date;
  /** Subject whose success settles it (`document:doc_1`), and the types that report that; null for an event that could not be applied. */
  subject: string | null;
  recoveredBy: string[];
};

/** Newest events of a subject that are searched for a success before its failure. */
const LOOK_BACK = 500;

/** True when the success that ends the failure was applied before it: no order of events is promised. */
const OVER_ALREADY = `EXISTS (SELECT 1 FROM (
    SELECT f.received_at, f.seq FROM event_refs f WHERE f.workspace_id = w AND f.kind = split_part(sub, ':', 1)
      AND f.ref = substr(sub, strpos(sub, ':') + 1) ORDER BY f.received_at DESC, f.seq DESC LIMIT ${LOOK_BACK}) near
  JOIN events e USING (received_at, seq) WHERE e.type = ANY(string_to_array(recovered_by, ',')) AND ${eventSecondsSql("e")} >= c)`;

/** Files each failed event once; a platform failure doesn't recur when its event is applied again. Returns the issues that failed again. */
export async function insertFailedEvents(client: pg.PoolClient, failed: FailedEvent[], now: Date): Promise<Set<string>> {
  const { rows } = await client.query<{ issue_id: string }>({
    name: "issue-events-insert",
    text: `INSERT INTO issue_events (issue_id, received_at, seq, workspace_id, created, subject, failed_at, settled_at)
      SELECT i, r, s, w, c, sub, at, CASE WHEN sub IS NOT NULL AND ${OVER_ALREADY} THEN $9::timestamptz END
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[], $8::text[])
        AS u(i, r, s, w, c, sub, at, recovered_by)
      ON CONFLICT (issue_id, received_at, seq) DO UPDATE SET failed_at = excluded.failed_at, settled_at = NULL
        WHERE issue_events.subject IS NULL
      RETURNING issue_id`,
    values: [
      ...arraysOf(failed, "issueId", "receivedAt", "seq", "workspaceId", "created", "subject", "failedAt"),
      failed.map(({ recoveredBy }) => recoveredBy.join(",")),
      now.toISOString(),
    ],
  });
  return new Set(rows.map(({ issue_id }) => issue_id));
}

/** Keeps the planner from reversing the join: it expects one unsettled event in the whole table (500 ms a batch instead of 3). */
const ONE_LOOKUP_EACH = "OFFSET 0";

/** Settles these events, but not in the issue that each failed by just now (`except`). Returns the issues that they left. */
export async function settleByPlace(client: pg.PoolClient, places: (Place & { except: string | null })[], now: Date): Promise<string[]> {
  if (places.length === 0) return [];
  return queryValues<{ issue_id: string }>(client, {
    name: "issue-events-settle-by-place",
    text: `UPDATE issue_events o SET settled_at = $4 FROM unnest($1::timestamptz[], $2::bigint[], $3::text[]) AS u(r, s, except_issue)
        CROSS JOIN LATERAL (SELECT x.issue_id FROM issue_events x WHERE x.received_at = u.r AND x.seq = u.s AND x.subject IS NULL
          AND x.settled_at IS NULL AND x.issue_id IS DISTINCT FROM u.except_issue ${ONE_LOOKUP_EACH}) hit
      WHERE o.issue_id = hit.issue_id AND o.received_at = u.r AND o.seq = u.s RETURNING o.issue_id`,
    values: [...arraysOf(places, "receivedAt", "seq", "except"), now.toISOString()],
  });
}

/** A subject (`document:doc_1`) that succeeded; `created` orders the event, in Unix seconds. */
export type Recovered = { workspaceId: WorkspaceId; subject: string; created: number };

/** Settles what the platform reported of these subjects up to then. Returns the issues that the events left. */
export async function settleBySubject(client: pg.PoolClient, recovered: Recovered[], now: Date): Promise<string[]> {
  if (recovered.length === 0) return [];
  return queryValues<{ issue_id: string }>(client, {
    name: "issue-events-settle-by-subject",
    text: `UPDATE issue_events o SET settled_at = $4 FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u(w, sub, c)
        CROSS JOIN LATERAL (SELECT x.issue_id, x.received_at, x.seq FROM issue_events x WHERE x.workspace_id = u.w AND x.subject = u.sub
          AND x.created <= u.c AND x.settled_at IS NULL ${ONE_LOOKUP_EACH}) hit
      WHERE o.issue_id = hit.issue_id AND o.received_at = hit.received_at AND o.seq = hit.seq RETURNING o.issue_id`,
    values: [...arraysOf(recovered, "workspaceId", "subject", "created"), now.toISOString()],
  });
}

type NotedEvent = { issueId: string; workspaceId: WorkspaceId; receivedAt: Date; seq: number; failedAt: Date };

/** Never an event's own subject, so that applying it does not settle these. */
type NotedSubject = "destination:" | "schema:";

/** Files events under issues that are no failure of theirs: of a destination, of a schema. A settled one counts as failed again. */
export async function insertNoted(client: pg.PoolClient, subject: NotedSubject, events: NotedEvent[]): Promise<void> {
  await client.query({
    name: "issue-events-noted",
    text: `INSERT INTO issue_events (issue_id, received_at, seq, workspace_id, created, subject, failed_at)
      SELECT i, r, s, w, floor(extract(epoch FROM r)), $6, at
      FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::timestamptz[]) AS u(i, r, s, w, at) ORDER BY i, r, s
      ON CONFLICT (issue_id, received_at, seq) DO UPDATE SET failed_at = excluded.failed_at, settled_at = NULL`,
    values: [...arraysOf(events, "issueId", "receivedAt", "seq", "workspaceId", "failedAt"), subject],
  });
}

/** Settles events that a destination got after all. Returns the issues that they left. */
export async function settleDelivered(
  client: pg.PoolClient,
  events: Pick<NotedEvent, "issueId" | "receivedAt" | "seq">[],
  now: Date,
): Promise<string[]> {
  const { rows } = await client.query<{ issue_id: string }>({
    name: "issue-events-delivered",
    text: `UPDATE issue_events o SET settled_at = $4 FROM unnest($1::text[], $2::timestamptz[], $3::bigint[]) AS u(i, r, s)
      WHERE o.issue_id = u.i AND o.received_at = u.r AND o.seq = u.s AND o.settled_at IS NULL RETURNING o.issue_id`,
    values: [...arraysOf(events, "issueId", "receivedAt", "seq"), now.toISOString()],
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
