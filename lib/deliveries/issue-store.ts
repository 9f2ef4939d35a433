import type { WorkspaceId } from "#lib/contracts/ids";
import type { IssueAction, IssueCause, IssueFilter, IssueOrigin, IssueState } from "#lib/contracts/issues";
import { pool } from "#lib/db/pool";
import { stepsOf } from "./issue-state.ts";

/** An issue as it is stored, with what is counted from its events. */
export type StoredIssue = {
  id: string;
  origin: IssueOrigin;
  code: string;
  type: string;
  place: string;
  words: string;
  state: IssueState;
  stateAt: Date;
  stateBy: string | null;
  stateCause: IssueCause | null;
  firstSeenAt: Date;
  lastSeenAt: Date;
  sampleEventId: string;
  /** At most 1,001 counted. */
  count: number;
  failing: number;
};

const COLUMNS = `i.id, i.origin, i.code, i.type, i.place, i.words, i.state, i.state_at AS "stateAt", i.state_by AS "stateBy", i.state_cause AS "stateCause",
  i.first_seen_at AS "firstSeenAt", i.last_seen_at AS "lastSeenAt", i.sample_event_id AS "sampleEventId",
  (SELECT count(*) FROM (SELECT 1 FROM issue_events e WHERE e.issue_id = i.id LIMIT 1001) t) AS count,
  (SELECT count(*) FROM (SELECT 1 FROM issue_events e WHERE e.issue_id = i.id AND e.settled_at IS NULL LIMIT 1001) t) AS failing`;

/** Issues that match, the one that failed last first. */
export async function listIssues(
  workspaceId: WorkspaceId,
  filter: IssueFilter,
  limit: number,
  before: { at: Date; id: string } | null,
): Promise<StoredIssue[]> {
  const { rows } = await pool().query<StoredIssue>(
    `SELECT ${COLUMNS} FROM issues i WHERE i.workspace_id = $1 AND ($2::text[] IS NULL OR i.state = ANY($2)) AND ($3::text IS NULL OR i.origin = $3)
       AND ($4::timestamptz IS NULL OR i.last_seen_at < $4 OR (i.last_seen_at = $4 AND i.id > $5))
     ORDER BY i.last_seen_at DESC, i.id LIMIT $6`,
    [workspaceId, filter.state ?? null, filter.origin ?? null, before?.at ?? null, before?.id ?? null, limit],
  );
  return rows;
}

/** One issue; null when the workspace has none of that id. */
export async function findIssue(workspaceId: WorkspaceId, id: string): Promise<StoredIssue | null> {
  const { rows } = await pool().query<StoredIssue>(`SELECT ${COLUMNS} FROM issues i WHERE i.workspace_id = $1 AND i.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** The issue that an event stands failed in; null when it stands in none. */
export async function findIssueOfEvent(workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<string | null> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT issue_id AS id FROM issue_events WHERE workspace_id = $1 AND received_at = $2 AND seq = $3
     ORDER BY settled_at IS NULL DESC, failed_at DESC LIMIT 1`,
    [workspaceId, at.receivedAt, at.seq],
  );
  return rows[0]?.id ?? null;
}

/** Failures by hour over the 24 hours before `now`, oldest first, of each issue. */
export async function countByHour(workspaceId: WorkspaceId, ids: string[], now: Date): Promise<Map<string, number[]>> {
  const { rows } = await pool().query<{ id: string; hour: number; n: number }>(
    `SELECT issue_id AS id, floor(extract(epoch FROM $3::timestamptz - failed_at) / 3600)::int AS hour, count(*) AS n FROM issue_events
     WHERE workspace_id = $1 AND issue_id = ANY($2::text[]) AND failed_at > $3::timestamptz - INTERVAL '24 hours' AND failed_at <= $3 GROUP BY 1, 2`,
    [workspaceId, ids, now.toISOString()],
  );
  const hours = new Map(ids.map((id) => [id, Array.from({ length: 24 }, () => 0)]));
  for (const { id, hour, n } of rows) hours.get(id)?.splice(23 - hour, 1, n);
  return hours;
}

/**
 * Takes the step that a person asks for.
 *
 * @param by the person's name, for the page
 * @returns false when the issue is in no state that allows it, or is not there
 */
export async function moveIssue(workspaceId: WorkspaceId, id: string, action: IssueAction, by: string): Promise<boolean> {
  const { from, to } = stepsOf(action);
  const { rowCount } = await pool().query(
    "UPDATE issues SET state = $4, state_at = now(), state_by = $5, state_cause = NULL WHERE workspace_id = $1 AND id = $2 AND state = ANY($3::text[])",
    [workspaceId, id, from, to, by],
  );
  return rowCount === 1;
}

/** Open issues by origin. */
export async function countOpenIssues(workspaceId: WorkspaceId): Promise<Record<IssueOrigin, number>> {
  const { rows } = await pool().query<{ origin: IssueOrigin; n: number }>(
    "SELECT origin, count(*) AS n FROM issues WHERE workspace_id = $1 AND state = 'open' GROUP BY origin",
    [workspaceId],
  );
  const of = (origin: IssueOrigin) => rows.find((row) => row.origin === origin)?.n ?? 0;
  return { processing: of("processing"), platform: of("platform") };
}

/** Issues that came into that state since a moment and still are in it, at most 1,001 counted. */
export async function countMovedSince(workspaceId: WorkspaceId, state: IssueState, since: Date): Promise<number> {
  const { rows } = await pool().query<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM issues WHERE workspace_id = $1 AND state = $2 AND state_at > $3 LIMIT 1001) t",
    [workspaceId, state, since],
  );
  return rows[0]?.n ?? 0;
}
