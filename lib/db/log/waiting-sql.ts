/**
 * Returns whether no range of the log that has ended holds an event, as a condition on `events` under that name: it is behind
 * its workspace's place, or in a range that a worker has or left.
 */
export const notEndedSql = (e: string): string => `(NOT EXISTS (
    SELECT 1 FROM log_places p WHERE p.workspace_id = ${e}.workspace_id AND (${e}.xid, ${e}.seq) <= (p.xid, p.seq))
  OR EXISTS (SELECT 1 FROM log_ranges g WHERE g.workspace_id = ${e}.workspace_id AND g.ended_at IS NULL
    AND (${e}.xid, ${e}.seq) > (g.from_xid, g.from_seq) AND (${e}.xid, ${e}.seq) <= (g.to_xid, g.to_seq)))`;

/**
 * Returns whether an event waits to be applied, as a condition on `events` under that name: it is in the inbox, or in no range
 * that has ended. True in each snapshot: what applies an event ends its range, or takes it out of the inbox, in the
 * same commit.
 */
export const waitingSql = (e: string): string =>
  `(EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = ${e}.received_at AND i.seq = ${e}.seq) OR ${notEndedSql(e)})`;

/**
 * The places of what waits in a workspace, each at least once: columns `received_at` and `seq`.
 *
 * @param workspace an SQL expression
 * @param most of the inbox and of the log each, an SQL expression; without it, all
 */
export const waitingPlacesSql = (workspace: string, most?: string): string => `(
  (SELECT i.received_at, i.seq FROM inbox i WHERE i.workspace_id = ${workspace}${most === undefined ? "" : ` LIMIT ${most}`})
  UNION ALL SELECT l.received_at, l.seq FROM waiting_in_log(${workspace}${most === undefined ? "" : `, ${most}`}) l)`;

/** Looked at from the beginning of each stretch that waits: the log is in the order of commits, nearly that of the sequence. */
const FIRST = 100;

/**
 * A query of one row and one column `seq`: the first event of a workspace that was not handed on to destinations yet;
 * null when there is none. Asked in the statement that reads deliveries it is of the same moment as they are: what a
 * subject's later event has left behind stands below it.
 *
 * @param workspace an SQL expression
 */
export const firstNotHandedOnSql = (workspace: string): string => `SELECT min(t.seq) AS seq FROM (
    (SELECT seq FROM inbox WHERE workspace_id = ${workspace} AND NOT handed_on AND redelivery_id IS NULL)
    UNION ALL
    SELECT e.seq FROM (
      SELECT from_xid, from_seq, to_xid, to_seq FROM log_ranges WHERE workspace_id = ${workspace} AND ended_at IS NULL
      UNION ALL
      SELECT coalesce(p.xid, '0'), coalesce(p.seq, 0), '18446744073709551615'::xid8, 9223372036854775807
      FROM (SELECT 1) one LEFT JOIN log_places p ON p.workspace_id = ${workspace}) s
    CROSS JOIN LATERAL (
      SELECT seq FROM events
      WHERE workspace_id = ${workspace} AND (xid, seq) > (s.from_xid, s.from_seq) AND (xid, seq) <= (s.to_xid, s.to_seq)
      ORDER BY xid, seq LIMIT ${FIRST}) e) t`;
