import { AppError, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page, Paging } from "#lib/contracts/api/parameters";
import { type EventOrder, MAX_SORTED_MS } from "#lib/contracts/events/event-filters";
import {
  type EventDetail,
  type EventFilter,
  type EventState,
  type EventSummary,
  eventSummary,
  type ResourceRef,
} from "#lib/contracts/events/events";
import type { SourceRecords, SourceTemplateName } from "#lib/contracts/sources/templates";
import { queryWithin } from "#lib/db/bounded-query";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";
import { Cursor } from "#lib/db/cursor";
import { pool } from "#lib/db/pool";
import { queryRows } from "#lib/db/rows";
import { eventSecondsSql, keyOfSql, waitingSql } from "#lib/db/sql";
import { everFailedSql } from "#lib/events/search/candidate-queries";
import { describeType } from "#lib/platform/event-catalogue";
import { eventSeconds } from "#lib/platform/event-time";
import { titleOfSender } from "#lib/platform/schemes/templates";
import type { SizedEvent } from "./log/event-body-store.ts";
import { filterSql, rangeOf } from "./search/filter-sql.ts";
import { withTypesOfLog } from "./search/log-types-store.ts";
import { type ParsedFilter, parseFilter, type SoughtTerm, searchesText } from "./search/query.ts";
import { findLeadTerms, isWalkedWhole } from "./search/strategy-store.ts";

const deadLetterSql = (what: string) => `SELECT ${what} FROM dead_letters d WHERE d.received_at = e.received_at AND d.seq = e.seq`;

const ROW = {
  receivedAt: column<Date>(),
  seq: column<number>(),
  eventId: column<string>(),
  type: column<string>(),
  created: column<number>(),
  recognised: column<boolean>(),
  source: column<string>("s.name"),
  /** Whether the source's events become the platform's records (contracts/sources/templates.ts). */
  records: column<SourceRecords>("s.records"),
  template: column<SourceTemplateName>("s.template"),
  bytes: column<number>("octet_length(e.body)"),
  repeats: column<number>("coalesce(k.repeats, 0)"),
  conflicts: column<number>("(SELECT count(*)::int FROM event_conflicts c WHERE c.source_id = e.source_id AND c.event_id = e.event_id)"),
  pending: column<boolean>(waitingSql("e")),
  dead: column<boolean>(`EXISTS (${deadLetterSql("1")})`),
  failureText: column<string | null>(`(${deadLetterSql("d.failure_text")})`),
  everFailed: column<boolean>(everFailedSql("e")),
  lastFailure: column<string | null>(`(SELECT a.failure_text FROM attempts a
    WHERE a.received_at = e.received_at AND a.seq = e.seq AND a.outcome = 'failed' ORDER BY a.id DESC LIMIT 1)`),
  resources: column<ResourceRef[] | null>(`(SELECT jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.ref) ORDER BY r.kind, r.ref)
    FROM event_refs r WHERE r.received_at = e.received_at AND r.seq = e.seq)`),
};

export type EventRow = RowOf<typeof ROW>;

/** For queries with `EVENT_JOINS`. */
export const EVENT_COLUMNS = columnsSql(ROW, "e");

const SOURCE_JOIN = "JOIN sources s ON s.id = e.source_id";

export const EVENT_JOINS = `${SOURCE_JOIN}
  LEFT JOIN event_keys k ON k.source_id = e.source_id AND k.event_id = e.event_id`;

function stateOf(row: Pick<EventRow, "pending" | "dead" | "recognised">): EventState {
  if (row.pending) return "pending";
  if (row.dead) return "failed";
  return row.recognised ? "processed" : "unrecognised";
}

export function summaryOf(row: EventRow): EventSummary {
  const entry = row.records === "platform" ? describeType(row.type) : null;
  const state = stateOf(row);
  return answered(eventSummary, {
    ...row,
    id: row.eventId,
    title: entry?.title ?? titleOfSender(row.template, row.type),
    state,
    reportsFailure: entry?.reportsFailure ?? false,
    reportedMessage: null,
    failedBecause: state === "failed" ? row.failureText : null,
    repaired: row.everFailed && state !== "failed" && state !== "pending",
    lastFailure: row.lastFailure ?? row.failureText,
    resources: row.resources ?? [],
    created: new Date(eventSeconds(row.created, row.receivedAt) * 1000),
  });
}

/** Limits of a search of the payload and of any other list, in milliseconds. */
const SEARCH_LIMIT_MS = 1000;
const LIST_LIMIT_MS = 5000;

export const EVENT_CURSOR = new Cursor("events", { receivedAt: "time", seq: "integer" });

export type EventPageOf = Paging & { order?: EventOrder; timeLimitMs?: number; now: Date };

/** Lists events that match, newest first. `now` is where a period ends. @throws AppError `search_too_slow` when the time is up */
export async function listEvents(workspaceId: WorkspaceId, filter: EventFilter, page: EventPageOf): Promise<Page<EventSummary>> {
  const list = page.order === "occurred" ? listByOccurred : listRows;
  const { rows, nextCursor } = await list(workspaceId, filter, EVENT_COLUMNS, page);
  return { data: rows.map(summaryOf), nextCursor };
}

/** The log is never rewritten: earlier releases stored events that were released from quarantine as "admitted". */
const SIGNATURE_FORM = "CASE e.signature_form WHEN 'admitted' THEN 'released' ELSE e.signature_form END";

export type ExportedEvent = SizedEvent & { summary: EventSummary; headers: Record<string, string>; signatureForm: string };

/** Lists events with headers but without bodies, which an export reads in slices; a page may take longer than others. */
export async function listForExport(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  page: Paging & { now: Date },
): Promise<Page<ExportedEvent>> {
  const columns = `${EVENT_COLUMNS}, e.headers, ${SIGNATURE_FORM} AS "signatureForm"`;
  const { rows, nextCursor } = await listRows(workspaceId, filter, columns, { ...page, timeLimitMs: EXPORT_LIMIT_MS });
  const data = rows.map((row) => {
    const { receivedAt, seq, bytes, headers, signatureForm } = row;
    return { receivedAt, seq, bytes, headers, signatureForm, summary: summaryOf(row) };
  });
  return { data, nextCursor };
}

const EXPORT_LIMIT_MS = 30_000;

async function listRows(workspaceId: WorkspaceId, filter: EventFilter, columns: string, page: EventPageOf) {
  const { limit, cursor, timeLimitMs, now } = page;
  const parsed = await withTypesOfLog(workspaceId, parseFilter(filter));
  const place = EVENT_CURSOR.decode(cursor, filter);
  const before = place ? { at: place.receivedAt, seq: place.seq } : undefined;
  const timed = searchesText(parsed);
  const ask = (how: { walk?: true; since?: Date; lead?: SoughtTerm[] }) => {
    const { driver, where, bound } = filterSql(workspaceId, parsed, now, { before, ...how });
    return select(pageSql(columns, driver, where, limit + 1), bound.values, timeLimitMs ?? (timed ? SEARCH_LIMIT_MS : LIST_LIMIT_MS));
  };
  // Frequent words fill a page from the newest events, and a narrow filter is walked to its end. For rare words the index is asked, and
  // for all others only as far back as a page of them is expected.
  const search = async () => {
    const walked = await ask({ walk: true });
    if (walked.length > limit || (await isWalkedWhole(workspaceId, parsed, now, before))) return walked;
    const lead = await findLeadTerms(workspaceId, parsed, now, before);
    const since = expectPage(walked, limit);
    const near = since ? await ask({ since, lead }) : [];
    return near.length > limit ? near : ask({ lead });
  };
  const rows = timed ? await search() : await ask({});
  return { rows: rows.slice(0, limit), nextCursor: EVENT_CURSOR.next(rows, limit, filter) };
}

/** Fewer matches than this tell nothing of how frequent a word is. */
const MIN_MATCHES = 3;
/** Matches may lie four times as far apart before the walked part. */
const MARGIN = 4;

/** Returns since when a page of matches is expected: the index reads nothing older. Null where the walk found too few to say. */
function expectPage(found: ListRow[], limit: number): Date | null {
  const [newest, oldest] = [found[0]?.receivedAt.getTime(), found.at(-1)?.receivedAt.getTime()];
  if (found.length < MIN_MATCHES || newest === undefined || oldest === undefined) return null;
  return new Date(newest - (newest - oldest) * MARGIN * (limit / found.length));
}

/** OFFSET 0 keeps the driver's order: its places are looked up one after the other until the page is full. */
function pageSql(columns: string, driver: string | null, where: string[], limit: number): string {
  const conditions = where.join(" AND ");
  if (!driver)
    return `SELECT ${columns} FROM events e ${EVENT_JOINS} WHERE ${conditions} ORDER BY e.received_at DESC, e.seq DESC LIMIT ${limit}`;
  return `SELECT x.* FROM (${driver}) p CROSS JOIN LATERAL (
      SELECT ${columns} FROM events e ${EVENT_JOINS} WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x
    ORDER BY p.received_at DESC, p.seq DESC LIMIT ${limit}`;
}

const DAY_MS = 86_400_000;

const OCCURRED_CURSOR = new Cursor("events_by_occurred", { occurred: "integer", receivedAt: "time", seq: "integer" });

/** Lists events by the sender's time, newest first. @throws AppError `invalid_request` for more than 31 days */
async function listByOccurred(workspaceId: WorkspaceId, filter: EventFilter, columns: string, page: EventPageOf) {
  const { limit, cursor, timeLimitMs = LIST_LIMIT_MS, now } = page;
  checkSpan(filter, now);
  const parsed = await withTypesOfLog(workspaceId, parseFilter(filter));
  const { driver, where, bound } = filterSql(workspaceId, parsed, now, await wholeSearch(workspaceId, parsed, now));
  const order = { ...filter, order: "occurred" };
  const after = OCCURRED_CURSOR.decode(cursor, order);
  const occurred = eventSecondsSql("e");
  if (after) {
    const [at, receivedAt, seq] = [after.occurred, after.receivedAt.toISOString(), after.seq].map((value) => bound.bind(value));
    where.push(`(${occurred}, e.received_at, e.seq) < (${at}::bigint, ${receivedAt}::timestamptz, ${seq}::bigint)`);
  }
  const log = driver ? `(${driver}) p JOIN events e ON e.received_at = p.received_at AND e.seq = p.seq` : "events e";
  const text = `SELECT o.occurred, ${columns} FROM (
      SELECT ${occurred} AS occurred, e.received_at, e.seq FROM ${log} ${SOURCE_JOIN} WHERE ${where.join(" AND ")}
      ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT ${limit + 1}) o
    JOIN events e ON e.received_at = o.received_at AND e.seq = o.seq ${EVENT_JOINS}
    ORDER BY o.occurred DESC, o.received_at DESC, o.seq DESC`;
  const rows = (await select(text, bound.values, timeLimitMs)) as (ListRow & { occurred: number })[];
  return { rows: rows.slice(0, limit), nextCursor: OCCURRED_CURSOR.next(rows, limit, order) };
}

function checkSpan(filter: EventFilter, now: Date): void {
  const { from, to } = rangeOf(filter, now);
  const end = Math.min(now.getTime(), to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to));
  // The minutes by which a sender's clock may be ahead come on top.
  if (from !== undefined && end - Date.parse(from) <= MAX_SORTED_MS + DAY_MS) return;
  throw invalidField(
    "order",
    `the order by occurred needs a time range of at most ${MAX_SORTED_MS / DAY_MS} days. Set period, from or occurredFrom.`,
  );
}

/** Returns how a search finds all its events: the newest of them by receipt are not those by occurrence. */
async function wholeSearch(workspaceId: WorkspaceId, parsed: ParsedFilter, now: Date) {
  if (!searchesText(parsed)) return {};
  return (await isWalkedWhole(workspaceId, parsed, now)) ? { walk: true } : { lead: await findLeadTerms(workspaceId, parsed, now) };
}

const TOO_SLOW = "Narrow it: choose a shorter period, a type or a resource, or use whole words and terms such as data.status:failed.";

async function select(text: string, values: unknown[], limitMs: number): Promise<ListRow[]> {
  const rows = await queryWithin<ListRow>(limitMs, text, values);
  if (rows) return rows;
  throw new AppError("search_too_slow", `The search was stopped after ${limitMs / 1000} s. ${TOO_SLOW}`);
}

const DETAIL = {
  sourceId: column<string>(),
  body: column<Buffer>(),
  receivedBody: column<Buffer | null>(),
  headers: column<Record<string, string>>(),
  remoteAddress: column<string | null>(),
  signatureForm: column<EventDetail["verification"]["form"]>(SIGNATURE_FORM),
  secretId: column<string>(),
  secretCreatedAt: column<Date | null>("x.created_at"),
};

type DetailRow = EventRow & RowOf<typeof DETAIL>;

export type StoredEvent = Pick<DetailRow, keyof typeof DETAIL | "receivedAt" | "seq" | "created"> & { summary: EventSummary };

type ListRow = EventRow & { headers: Record<string, string>; signatureForm: string };

/** Returns the newest event of that ID; null when the workspace has none. */
export async function findEvent(workspaceId: WorkspaceId, eventId: string): Promise<StoredEvent | null> {
  const { rows } = await pool().query<DetailRow>(
    `SELECT ${EVENT_COLUMNS}, ${columnsSql(DETAIL, "e")}
     FROM event_keys f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq ${EVENT_JOINS}
     LEFT JOIN source_secrets x ON x.id = e.secret_id
     WHERE ${keyOfSql("f", "$1")} AND f.event_id = $2 ORDER BY e.received_at DESC LIMIT 1`,
    [workspaceId, eventId],
  );
  return rows[0] ? { ...rows[0], summary: summaryOf(rows[0]) } : null;
}

/** Most bytes of bodies under one ID that are shown: earlier releases kept each body whole. */
const CONFLICT_BYTES = 4 * 1_048_576;

/** Other bytes that came under an event's ID. `body`: their beginning, or nothing; `bytes`: their whole length. */
export type StoredConflict = { receivedAt: Date; body: Buffer; sha256: Buffer; bytes: number; repeats: number };

export const listConflicts = (sourceId: string, eventId: string): Promise<StoredConflict[]> =>
  queryRows<StoredConflict>(
    pool(),
    `SELECT received_at AS "receivedAt", body, body_sha256 AS sha256, coalesce(body_bytes, octet_length(body)) AS bytes, repeats FROM (
       SELECT *, sum(octet_length(body)) OVER oldest AS upto, row_number() OVER oldest AS n
         FROM event_conflicts WHERE source_id = $1 AND event_id = $2 WINDOW oldest AS (ORDER BY received_at, body_sha256)) c
      WHERE n = 1 OR (n <= 20 AND upto <= ${CONFLICT_BYTES}) ORDER BY n`,
    [sourceId, eventId],
  );

/** Lists the newest events that name a resource, newest first. @param until only those created up to then, Unix seconds */
export async function listResourceEvents(
  workspaceId: WorkspaceId,
  kind: string,
  ref: string,
  max: number,
  until: number | null = null,
): Promise<EventSummary[]> {
  const { rows } = await pool().query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq ${EVENT_JOINS}
     WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 AND ($5::bigint IS NULL OR ${eventSecondsSql("e")} <= $5)
     ORDER BY e.received_at DESC, e.seq DESC LIMIT $4`,
    [workspaceId, kind, ref, max, until],
  );
  return rows.map(summaryOf);
}
