import { AppError } from "#lib/contracts/app-error";
import type { EventFilter, EventSummary } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import { pool } from "#lib/db/pool";
import { queryWithin } from "#lib/db/query-within";
import { decodeSequenceCursor, encodeCursor } from "./cursor.ts";
import { type Driver, WALK } from "./event-drivers.ts";
import { filterSql, searchesText } from "./event-filter-sql.ts";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "./event-rows.ts";
import { readSearch } from "./search-query.ts";

/** A search of the payload is cut here, and any other list here, with words that help. Milliseconds. */
const SEARCH_LIMIT_MS = 1000;
const LIST_LIMIT_MS = 5000;

type Before = { at: Date; seq: number } | undefined;
type PageOf = { limit: number; cursor?: string | undefined; timeLimitMs?: number };

/**
 * Events that match, newest first, paged by row comparison.
 *
 * @throws AppError `search_too_slow` when the time is up
 */
export async function listEvents(workspaceId: WorkspaceId, filter: EventFilter, page: PageOf): Promise<Page<EventSummary>> {
  const { rows, nextCursor } = await listRows(workspaceId, filter, EVENT_COLUMNS, page);
  return { data: rows.map(summaryOf), nextCursor };
}

/** An event with all that an export tells of it. */
export type ExportedEvent = { summary: EventSummary; body: Buffer; headers: Record<string, string>; signatureForm: string };

/** The same with bytes and headers; a page may take longer. */
export async function listForExport(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ExportedEvent>> {
  const columns = `${EVENT_COLUMNS}, e.body, e.headers, e.signature_form`;
  const { rows, nextCursor } = await listRows(workspaceId, filter, columns, { ...page, timeLimitMs: EXPORT_LIMIT_MS });
  const data = rows.map((row) => ({ summary: summaryOf(row), body: row.body, headers: row.headers, signatureForm: row.signature_form }));
  return { data, nextCursor };
}

const EXPORT_LIMIT_MS = 30_000;

async function listRows(workspaceId: WorkspaceId, filter: EventFilter, columns: string, { limit, cursor, timeLimitMs }: PageOf) {
  const before = cursor ? decodeSequenceCursor(cursor) : undefined;
  const timed = searchesText(filter);
  const ask = (walk: boolean) => {
    const { driver, where, bound } = filterSql(workspaceId, filter, { before, walk });
    return select(pageSql(columns, driver, where, limit + 1), bound.values, timeLimitMs ?? (timed ? SEARCH_LIMIT_MS : LIST_LIMIT_MS));
  };
  // Frequent words fill a page from the newest events; rare ones are what the index is for.
  let rows = timed ? await ask(true) : [];
  if (rows.length <= limit && !(timed && (await isShort(workspaceId, filter, before)))) rows = await ask(false);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? encodeCursor(last.received_at, last.seq) : null };
}

/** True where the types and the period leave so few events that a walk has seen them all. */
async function isShort(workspaceId: WorkspaceId, { q = "", type, from, to, period }: EventFilter, before: Before): Promise<boolean> {
  const { filters, word } = readSearch(q);
  const types = type ?? filters.find((filter) => filter.type)?.type;
  // An id is looked up to the letter too, which no walk does.
  if (!types || /[_\d]/.test(word ?? "")) return false;
  let seen = 0;
  for (const one of types) {
    const { where, bound } = filterSql(workspaceId, { type: [one], from, to, period }, { before });
    const text = `SELECT count(*) AS n FROM (SELECT 1 FROM events e WHERE ${where.join(" AND ")} LIMIT ${WALK + 1}) t`;
    seen += (await pool().query<{ n: number }>(text, bound.values)).rows[0]?.n ?? 0;
  }
  return seen <= WALK;
}

/** OFFSET 0 keeps the driver's order: its places are looked up one after the other until the page is full. */
function pageSql(columns: string, driver: Driver | null, where: string[], limit: number): string {
  const conditions = where.join(" AND ");
  if (!driver)
    return `SELECT ${columns} FROM events e ${EVENT_JOINS} WHERE ${conditions} ORDER BY e.received_at DESC, e.seq DESC LIMIT ${limit}`;
  return `SELECT x.* FROM (${driver.sql}) p CROSS JOIN LATERAL (
      SELECT ${columns} FROM events e ${EVENT_JOINS} WHERE e.received_at = p.received_at AND e.seq = p.seq AND ${conditions} OFFSET 0) x
    ORDER BY p.received_at DESC, p.seq DESC LIMIT ${limit}`;
}

const TOO_SLOW = "Narrow it: choose a shorter period or a type, name a resource, or use whole words and terms such as data.status:failed.";

async function select(text: string, values: unknown[], limitMs: number): Promise<ListRow[]> {
  const rows = await queryWithin<ListRow>(limitMs, text, values);
  if (rows) return rows;
  throw new AppError("search_too_slow", `It was stopped after ${limitMs / 1000} s, so that it holds nothing else up. ${TOO_SLOW}`);
}

/** An event with its bytes and what is only shown on its own page. */
export type StoredEvent = {
  summary: EventSummary;
  receivedAt: Date;
  seq: number;
  sourceId: string;
  created: number;
  body: Buffer;
  headers: Record<string, string>;
  remoteAddress: string | null;
  signatureForm: "raw" | "reserialized" | "admitted";
  secretId: string;
  secretCreatedAt: Date | null;
};

type ListRow = EventRow & { body: Buffer; headers: Record<string, string>; signature_form: string };

type DetailRow = EventRow & {
  source_id: string;
  body: Buffer;
  headers: Record<string, string>;
  remote_address: string | null;
  signature_form: StoredEvent["signatureForm"];
  secret_id: string;
  secret_created_at: Date | null;
};

/** The newest event of that id; null when the workspace has none. */
export async function findEvent(workspaceId: WorkspaceId, eventId: string): Promise<StoredEvent | null> {
  const { rows } = await pool().query<DetailRow>(
    `SELECT ${EVENT_COLUMNS}, e.source_id, e.body, e.headers, e.remote_address, e.signature_form, e.secret_id, x.created_at AS secret_created_at
     FROM event_keys f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq ${EVENT_JOINS}
     LEFT JOIN source_secrets x ON x.id = e.secret_id
     WHERE f.workspace_id = $1 AND f.event_id = $2 ORDER BY e.received_at DESC LIMIT 1`,
    [workspaceId, eventId],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    summary: summaryOf(row),
    receivedAt: row.received_at,
    seq: row.seq,
    sourceId: row.source_id,
    created: row.created,
    body: row.body,
    headers: row.headers,
    remoteAddress: row.remote_address,
    signatureForm: row.signature_form,
    secretId: row.secret_id,
    secretCreatedAt: row.secret_created_at,
  };
}

/** Bodies that came under the same id with other bytes. */
export async function listConflicts(sourceId: string, eventId: string): Promise<{ receivedAt: Date; body: Buffer; repeats: number }[]> {
  const { rows } = await pool().query<{ received_at: Date; body: Buffer; repeats: number }>(
    "SELECT received_at, body, repeats FROM event_conflicts WHERE source_id = $1 AND event_id = $2 ORDER BY received_at LIMIT 20",
    [sourceId, eventId],
  );
  return rows.map((row) => ({ receivedAt: row.received_at, body: row.body, repeats: row.repeats }));
}

/**
 * The events that speak of a resource, newest first, at most `max`.
 *
 * @param until only those created up to then, Unix seconds; null for all
 */
export async function listResourceEvents(
  workspaceId: WorkspaceId,
  kind: string,
  ref: string,
  max: number,
  until: number | null = null,
): Promise<EventSummary[]> {
  const { rows } = await pool().query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq ${EVENT_JOINS}
     WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 AND ($5::bigint IS NULL OR e.created <= $5)
     ORDER BY e.received_at DESC, e.seq DESC LIMIT $4`,
    [workspaceId, kind, ref, max, until],
  );
  return rows.map(summaryOf);
}
