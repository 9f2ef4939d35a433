import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { IssueFilter, IssueSort } from "#lib/contracts/issue-filters";
import type { Assignee, IssueAction, IssueCause, IssueOrigin, IssueState } from "#lib/contracts/issues";
import { cappedCount, countCapped } from "#lib/db/bounded-query";
import { column, columnsSql, type RowOf } from "#lib/db/columns";
import { pool } from "#lib/db/pool";
import { queryRow, queryRows, queryValue } from "#lib/db/rows";
import { conditionsOf, containsSql, type FilterConditions, keyOfSql, SqlValues } from "#lib/db/sql";
import { stepsOf } from "./issue.ts";

const cappedEvents = (which: string) => `(${cappedCount(`SELECT 1 FROM issue_events e WHERE e.issue_id = i.id${which}`)})`;

const ROW = {
  id: column<string>(),
  origin: column<IssueOrigin>(),
  code: column<string>(),
  type: column<string>(),
  place: column<string>(),
  words: column<string>(),
  state: column<IssueState>(),
  stateAt: column<Date>(),
  stateBy: column<string | null>(),
  stateCause: column<IssueCause | null>(),
  assignee: column<Assignee | null>(
    "(SELECT jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) FROM users u WHERE u.id = i.assignee_id)",
  ),
  firstSeenAt: column<Date>(),
  lastSeenAt: column<Date>(),
  sampleEventId: column<string>(),
  /** At most 1,001 counted. */
  count: column<number>(cappedEvents("")),
  failing: column<number>(cappedEvents(" AND e.settled_at IS NULL")),
  repaired: column<number>(cappedEvents(" AND e.settled_at IS NOT NULL")),
};

export type StoredIssue = RowOf<typeof ROW>;

const COLUMNS = columnsSql(ROW, "i");

const CONDITIONS: FilterConditions<IssueFilter> = {
  state: (states, bind) => `i.state = ANY(${bind(states)}::text[])`,
  origin: (origin, bind) => `i.origin = ${bind(origin)}`,
  source: (name, bind) =>
    `EXISTS (SELECT 1 FROM event_keys k JOIN sources s ON s.id = k.source_id
       WHERE ${keyOfSql("k", "i.workspace_id")} AND k.event_id = i.sample_event_id AND s.name = ${bind(name)})`,
  assignee: (id, bind) => (id === "none" ? "i.assignee_id IS NULL" : `i.assignee_id = ${bind(id)}`),
  q: (q, bind) => containsSql("concat_ws(' ', i.words, i.type, translate(i.type, '._', '  '), i.code, i.place, i.id)", q, bind),
};

const SORT_KEYS: Record<IssueSort, string> = {
  newest: "i.last_seen_at",
  first_seen: "i.first_seen_at",
  count: cappedEvents(""),
};

export async function listIssues(
  workspaceId: WorkspaceId,
  filter: IssueFilter,
  { sort, limit, before }: { sort: IssueSort; limit: number; before: { key: Date | number; id: string } | null },
): Promise<StoredIssue[]> {
  const { values, bind } = new SqlValues(workspaceId);
  const key = SORT_KEYS[sort];
  const where = ["i.workspace_id = $1", ...conditionsOf(CONDITIONS, filter, bind)];
  if (before) {
    const at = bind(before.key);
    where.push(`${key} <= ${at} AND (${key} < ${at} OR i.id > ${bind(before.id)})`);
  }
  return queryRows<StoredIssue>(
    pool(),
    `SELECT ${COLUMNS} FROM issues i WHERE ${where.join(" AND ")} ORDER BY ${key} DESC, i.id LIMIT ${bind(limit)}`,
    values,
  );
}

export const findIssue = (workspaceId: WorkspaceId, id: string): Promise<StoredIssue | null> =>
  queryRow<StoredIssue>(pool(), `SELECT ${COLUMNS} FROM issues i WHERE i.workspace_id = $1 AND i.id = $2`, [workspaceId, id]);

/** Finds the issue in which an event failed. What a destination did not get, or a schema did not expect, is none. */
export const findIssueOfEvent = (workspaceId: WorkspaceId, at: { receivedAt: Date; seq: number }): Promise<string | null> =>
  queryValue<{ id: string }>(
    pool(),
    `SELECT issue_id AS id FROM issue_events WHERE workspace_id = $1 AND received_at = $2 AND seq = $3 AND (subject IS NULL OR subject NOT IN ('destination:', 'schema:'))
     ORDER BY settled_at IS NULL DESC, failed_at DESC LIMIT 1`,
    [workspaceId, at.receivedAt, at.seq],
  );

type Hours = { failed: number[]; repaired: number[] };

/** Counts failures up to `now`, and those of them that are repaired, in each of the 24 hours that begin with `from`. */
export async function countByHour(workspaceId: WorkspaceId, ids: string[], from: Date, now: Date): Promise<Map<string, Hours>> {
  const { rows } = await pool().query<{ id: string; hour: number; n: number; repaired: number }>(
    `SELECT issue_id AS id, floor(extract(epoch FROM failed_at - $3::timestamptz) / 3600)::int AS hour, count(*) AS n, count(settled_at) AS repaired
     FROM issue_events
     WHERE workspace_id = $1 AND issue_id = ANY($2::text[]) AND failed_at >= $3::timestamptz AND failed_at <= $4::timestamptz GROUP BY 1, 2`,
    [workspaceId, ids, from.toISOString(), now.toISOString()],
  );
  const none = () => Array.from({ length: 24 }, () => 0);
  const hours = new Map(ids.map((id) => [id, { failed: none(), repaired: none() }]));
  for (const { id, hour, n, repaired } of rows) {
    hours.get(id)?.failed.splice(hour, 1, n);
    hours.get(id)?.repaired.splice(hour, 1, repaired);
  }
  return hours;
}

/** Returns the state before; null when it allows no such step, or there is no such issue. @param by shown on the page */
export async function changeIssueState(workspaceId: WorkspaceId, id: string, action: IssueAction, by: string): Promise<IssueState | null> {
  const { from, to } = stepsOf(action);
  return queryValue<{ state: IssueState }>(
    pool(),
    `WITH before AS (SELECT id, state FROM issues WHERE workspace_id = $1 AND id = $2 AND state = ANY($3::text[]) FOR UPDATE)
     UPDATE issues i SET state = $4, state_at = now(), state_by = $5, state_cause = NULL FROM before b WHERE i.id = b.id RETURNING b.state`,
    [workspaceId, id, from, to, by],
  );
}

/** Assigns an issue; to nobody, where the membership has just ended. Returns the email before; undefined when nothing changed. */
export async function assignIssue(workspaceId: WorkspaceId, id: string, assignee: string | null): Promise<string | null | undefined> {
  const { rows } = await pool().query<{ email: string | null }>(
    `WITH before AS (SELECT id, assignee_id FROM issues WHERE workspace_id = $1 AND id = $2 AND assignee_id IS DISTINCT FROM $3 FOR UPDATE)
     UPDATE issues i
        SET assignee_id = (SELECT m.user_id FROM memberships m WHERE m.workspace_id = $1 AND m.user_id = $3 FOR KEY SHARE)
       FROM before b WHERE i.id = b.id RETURNING (SELECT u.email FROM users u WHERE u.id = b.assignee_id) AS email`,
    [workspaceId, id, assignee],
  );
  return rows[0]?.email;
}

export async function countOpenIssues(workspaceId: WorkspaceId): Promise<Record<IssueOrigin, number>> {
  const { rows } = await pool().query<{ origin: IssueOrigin; n: number }>(
    "SELECT origin, count(*) AS n FROM issues WHERE workspace_id = $1 AND state = 'open' GROUP BY origin",
    [workspaceId],
  );
  const of = (origin: IssueOrigin) => rows.find((row) => row.origin === origin)?.n ?? 0;
  return { processing: of("processing"), platform: of("platform"), forwarding: of("forwarding"), schema: of("schema") };
}

/** Counts failed events in open issues, at most 1,001. */
export async function countFailingInOpenIssues(workspaceId: WorkspaceId): Promise<number> {
  const failing = `SELECT DISTINCT e.received_at, e.seq FROM issues i JOIN issue_events e ON e.issue_id = i.id AND e.settled_at IS NULL
    WHERE i.workspace_id = $1 AND i.state = 'open' AND i.origin = 'processing'`;
  return countCapped(failing, [workspaceId]);
}

/** Lists destinations with exhausted deliveries in an open issue; at most 1,001 counted of each. */
export async function listExhausted(workspaceId: WorkspaceId): Promise<{ destinationId: string; failing: number }[]> {
  const failing = cappedCount("SELECT 1 FROM issue_events e WHERE e.issue_id = i.id AND e.settled_at IS NULL");
  return queryRows<{ destinationId: string; failing: number }>(
    pool(),
    `SELECT i.place AS "destinationId", (${failing}) AS failing FROM issues i
     WHERE i.workspace_id = $1 AND i.state = 'open' AND i.origin = 'forwarding' AND i.code = 'deliveries_exhausted' ORDER BY i.last_seen_at DESC, i.id`,
    [workspaceId],
  );
}

/** Counts issues that came into a state since a moment and still are in it, at most 1,001. */
export async function countMovedSince(workspaceId: WorkspaceId, state: IssueState, since: Date): Promise<number> {
  const moved = "SELECT 1 FROM issues WHERE workspace_id = $1 AND state = $2 AND state_at > $3";
  return countCapped(moved, [workspaceId, state, since]);
}

export type FailingIssue = {
  id: string;
  code: string;
  type: string;
  words: string;
  lastSeenAt: Date;
  /** At most 1,001 counted. */
  failing: number;
  /** When the oldest of them was received. */
  beganAt: Date;
  /** Place of the newest of them in the log. */
  receivedAt: Date;
  seq: number;
};

const MAX_ISSUES = 200;

const failing = "SELECT e.received_at, e.seq FROM issue_events e WHERE e.issue_id = i.id AND e.settled_at IS NULL";

/** Lists open and acknowledged issues of events that could not be applied, as long as one of them is failed. */
export const listFailingIssues = (workspaceId: WorkspaceId): Promise<FailingIssue[]> =>
  queryRows<FailingIssue>(
    pool(),
    `SELECT i.id, i.code, i.type, i.words, i.last_seen_at AS "lastSeenAt", (${cappedCount(failing)}) AS failing,
        first.received_at AS "beganAt", last.received_at AS "receivedAt", last.seq
      FROM (SELECT * FROM issues WHERE workspace_id = $1 AND origin = 'processing' AND state IN ('open', 'acknowledged')
             ORDER BY last_seen_at DESC, id LIMIT ${MAX_ISSUES}) i
      CROSS JOIN LATERAL (${failing} ORDER BY e.received_at, e.seq LIMIT 1) first
      CROSS JOIN LATERAL (${failing} ORDER BY e.received_at DESC, e.seq DESC LIMIT 1) last
      ORDER BY i.last_seen_at DESC, i.id`,
    [workspaceId],
  );
