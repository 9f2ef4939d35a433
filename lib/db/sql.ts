import { CLOCK_TOLERANCE_S, MICROSECONDS_FROM, MILLISECONDS_FROM } from "#lib/contracts/api/bounds";
import { normalForms } from "#lib/contracts/api/plain-text";
import { column, columnsSql, type RowOf } from "./columns.ts";

/** What an event is read by. */
const LOGGED = {
  receivedAt: column<Date>(),
  seq: column<number>(),
  sourceId: column<string>(),
  eventId: column<string>(),
  type: column<string>(),
  created: column<number>(),
  body: column<Buffer>(),
};

export type LoggedEvent = RowOf<typeof LOGGED>;

/** For queries that call the log e. */
export const LOGGED_COLUMNS = columnsSql(LOGGED, "e");

/** Now, and never later: `now()` may be rounded up in a column of milliseconds, and what is looked for at once would not be due yet. */
export const DUE_NOW = "date_trunc('milliseconds', now())";

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

/** Returns SQL for an event's Unix seconds, as `eventSeconds` (lib/platform/event-time.ts) reads them. @param table alias of `events` */
export function eventSecondsSql(table: string): string {
  const [created, received] = [`${table}.created`, `floor(extract(epoch FROM ${table}.received_at))::bigint`];
  const seconds = `(CASE WHEN ${created} >= ${MICROSECONDS_FROM} THEN ${created} / 1000000
    WHEN ${created} >= ${MILLISECONDS_FROM} THEN ${created} / 1000 ELSE ${created} END)`;
  return `(CASE WHEN ${created} > 0 AND ${seconds} <= ${received} + ${CLOCK_TOLERANCE_S} THEN ${seconds} ELSE ${received} END)`;
}

/** Returns a condition that an expression contains the text in letters of any case, accents composed or apart. PostgreSQL's own `normalize`
 * needs a database in UTF8. */
export function containsSql(expression: string, q: string, bind: Bind): string {
  return `(${normalForms(q)
    .map((spelling) => `strpos(lower(${expression}), lower(${bind(spelling)}::text)) > 0`)
    .join(" OR ")})`;
}

/** Returns a condition on `event_keys` by workspace: the primary key leads with the source, of which a workspace has few. */
export const keyOfSql = (keys: string, workspace: string): string =>
  `${keys}.workspace_id = ${workspace} AND ${keys}.source_id IN (SELECT o.id FROM sources o WHERE o.workspace_id = ${workspace})`;

/** Matches an IP address or a network. Stored IPv6 may have a zone, which `inet` refuses; only the asked family is cast. */
export function receivedFromSql(column: string, ip: string, bind: (value: unknown) => string): string {
  const isIpv6 = ip.includes(":");
  if (!isIpv6 && !ip.includes("/")) return `${column} = ${bind(ip)}`;
  const family = isIpv6 ? `${column} LIKE '%:%'` : `${column} ~ '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$'`;
  return `CASE WHEN ${family} THEN split_part(${column}, '%', 1)::inet <<= ${bind(ip)}::inet ELSE false END`;
}

/** Rounds down to whole months: that is how events are deleted. */
export const CUTOFF = (days: string) => `date_trunc('month', now() - make_interval(days => ${days}), 'UTC')`;

/** Retention of source `s` in workspace `w`: its own where that is shorter. */
export const DAYS_KEPT = "least(w.retention_days, s.retention_days)";

export class SqlValues {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** Returns the value's placeholder. */
  bind = (value: unknown): string => `$${this.values.push(value)}`;
}

type Bind = SqlValues["bind"];

/** A filter without an entry is a type error. */
export type FilterConditions<F> = { [Name in keyof F]-?: (value: NonNullable<F[Name]>, bind: Bind) => string };

/** Returns conditions to be joined by AND; empty parts give none. */
export const conditionsOf = <F extends object>(conditions: FilterConditions<F>, filter: F, bind: Bind): string[] =>
  (Object.keys(conditions) as (keyof F)[]).flatMap((name) => conditionOf(conditions, filter, name, bind));

function conditionOf<F extends object, Name extends keyof F>(conditions: FilterConditions<F>, filter: F, name: Name, bind: Bind): string[] {
  const value = filter[name];
  return value === undefined || value === null || value === "" ? [] : [conditions[name](value, bind)];
}

/** U+001E, the record separator: JSON text has no unescaped control character. */
const SEPARATOR = "\u001e";

/** Joins texts into one parameter for `splitSql`: to quote long JSON in an array costs as much as parsing it. */
export const joined = (texts: string[]): string =>
  texts.map((text) => (text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, " ") : text)).join(SEPARATOR);

/** Splits such a parameter into `text[]`. No text may be the only one and empty. */
export const splitSql = (parameter: string): string => `string_to_array(${parameter}::text, chr(30))`;
