/** True for an event in no ended range: after its workspace's place, or in a range that a worker has or left. */
export const notEndedSql = (e: string): string => `(NOT EXISTS (
    SELECT 1 FROM log_places p WHERE p.workspace_id = ${e}.workspace_id AND (${e}.xid, ${e}.seq) <= (p.xid, p.seq))
  OR EXISTS (SELECT 1 FROM log_ranges g WHERE g.workspace_id = ${e}.workspace_id AND g.ended_at IS NULL
    AND (${e}.xid, ${e}.seq) > (g.from_xid, g.from_seq) AND (${e}.xid, ${e}.seq) <= (g.to_xid, g.to_seq)))`;

/** True for an event that waits, in every snapshot: its range ends, or it leaves the inbox, in the commit that applies it. */
export const waitingSql = (e: string): string =>
  `(EXISTS (SELECT 1 FROM inbox i WHERE i.received_at = ${e}.received_at AND i.seq = ${e}.seq) OR ${notEndedSql(e)})`;

/** Returns places of what waits, each at least once. @param most limit of the inbox and of the log each, an SQL expression */
export const waitingPlacesSql = (workspace: string, most?: string): string => `(
  (SELECT i.received_at, i.seq FROM inbox i WHERE i.workspace_id = ${workspace}${most === undefined ? "" : ` LIMIT ${most}`})
  UNION ALL SELECT l.received_at, l.seq FROM waiting_in_log(${workspace}${most === undefined ? "" : `, ${most}`}) l)`;

/** Read from the start of each waiting stretch: the order of commits is nearly that of the sequence. */
const FIRST = 100;

/** Returns a query for the lowest `seq` not handed on yet; asked in the statement that reads deliveries, it is of the same moment. */
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
