import type { WorkspaceId } from "#lib/contracts/api/ids";
import { cappedCount } from "#lib/db/capped-count";
import { pool } from "#lib/db/pool";

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
export async function listFailingIssues(workspaceId: WorkspaceId): Promise<FailingIssue[]> {
  const { rows } = await pool().query<FailingIssue>(
    `SELECT i.id, i.code, i.type, i.words, i.last_seen_at AS "lastSeenAt", (${cappedCount(failing)}) AS failing,
        first.received_at AS "beganAt", last.received_at AS "receivedAt", last.seq
      FROM (SELECT * FROM issues WHERE workspace_id = $1 AND origin = 'processing' AND state IN ('open', 'acknowledged')
             ORDER BY last_seen_at DESC, id LIMIT ${MAX_ISSUES}) i
      CROSS JOIN LATERAL (${failing} ORDER BY e.received_at, e.seq LIMIT 1) first
      CROSS JOIN LATERAL (${failing} ORDER BY e.received_at DESC, e.seq DESC LIMIT 1) last
      ORDER BY i.last_seen_at DESC, i.id`,
    [workspaceId],
  );
  return rows;
}
