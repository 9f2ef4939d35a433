import { AppError } from "#lib/contracts/app-error";
import type { EventFilter, EventSummary } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import { pool } from "#lib/db/pool";
import { decodeSequenceCursor, encodeCursor } from "./cursor.ts";
import { conditionsOf } from "./event-filter-sql.ts";
import { EVENT_COLUMNS, EVENT_JOINS, type EventRow, summaryOf } from "./event-rows.ts";

/** A slow search is cut here, in milliseconds, with words that help. */
const SEARCH_LIMIT_MS = 5000;

/** Events that match, newest first, paged by row comparison. */
export async function listEvents(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<EventSummary>> {
  const { sql, values } = conditionsOf(workspaceId, filter);
  if (cursor) {
    const { at, seq } = decodeSequenceCursor(cursor);
    sql.push(`(e.received_at, e.seq) < ($${values.push(at)}::timestamptz, $${values.push(seq)}::bigint)`);
  }
  const text = `SELECT ${EVENT_COLUMNS} FROM events e ${EVENT_JOINS} WHERE ${sql.join(" AND ")}
    ORDER BY e.received_at DESC, e.seq DESC LIMIT ${limit + 1}`;
  const rows = await select(text, values);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { data: page.map(summaryOf), nextCursor: rows.length > limit && last ? encodeCursor(last.received_at, last.seq) : null };
}

async function select(text: string, values: unknown[]): Promise<EventRow[]> {
  const client = await pool().connect();
  try {
    await client.query(`SET statement_timeout = ${SEARCH_LIMIT_MS}`);
    return (await client.query<EventRow>(text, values)).rows;
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") throw error;
    throw new AppError("invalid_request", "This search took longer than 5 seconds. Narrow it by a period, a type or a resource.", {
      cause: error,
    });
  } finally {
    await client.query("RESET statement_timeout").catch(() => undefined);
    client.release();
  }
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

/** Where the events stand that match a filter, oldest first; for re-delivery in bulk. */
export async function listPositions(
  workspaceId: WorkspaceId,
  filter: EventFilter,
  max: number,
): Promise<{ receivedAt: Date; seq: number }[]> {
  const { sql, values } = conditionsOf(workspaceId, filter);
  const { rows } = await pool().query<{ received_at: Date; seq: number }>(
    `SELECT e.received_at, e.seq FROM events e JOIN sources s ON s.id = e.source_id WHERE ${sql.join(" AND ")}
     ORDER BY e.received_at, e.seq LIMIT ${max}`,
    values,
  );
  return rows.map((row) => ({ receivedAt: row.received_at, seq: row.seq }));
}

/** Bodies that came under the same id with other bytes. */
export async function listConflicts(sourceId: string, eventId: string): Promise<{ receivedAt: Date; body: Buffer; repeats: number }[]> {
  const { rows } = await pool().query<{ received_at: Date; body: Buffer; repeats: number }>(
    "SELECT received_at, body, repeats FROM event_conflicts WHERE source_id = $1 AND event_id = $2 ORDER BY received_at LIMIT 20",
    [sourceId, eventId],
  );
  return rows.map((row) => ({ receivedAt: row.received_at, body: row.body, repeats: row.repeats }));
}

/** An event of a resource, with the bytes that a fold needs. */
export type ResourceEvent = { summary: EventSummary; eventId: string; type: string; created: number; body: Buffer };

/** The events that speak of a resource, newest first, at most `max`. */
export async function listResourceEvents(workspaceId: WorkspaceId, kind: string, ref: string, max: number): Promise<ResourceEvent[]> {
  const { rows } = await pool().query<EventRow & { body: Buffer }>(
    `SELECT ${EVENT_COLUMNS}, e.body FROM event_refs f JOIN events e ON e.received_at = f.received_at AND e.seq = f.seq ${EVENT_JOINS}
     WHERE f.workspace_id = $1 AND f.kind = $2 AND f.ref = $3 ORDER BY e.received_at DESC, e.seq DESC LIMIT $4`,
    [workspaceId, kind, ref, max],
  );
  return rows.map((row) => ({ summary: summaryOf(row), eventId: row.event_id, type: row.type, created: row.created, body: row.body }));
}
