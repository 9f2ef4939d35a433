import { createHash } from "node:crypto";
import type pg from "pg";
import { arraysOf, packed } from "#lib/db/columns";
import { inTransaction } from "#lib/db/pool";
import { joined, splitSql } from "#lib/db/sql";
import type { NewEvent, Receipt } from "./receipt.ts";

/**
 * The one statement that stores events: keys (uniqueness) and log together. Keys are inserted in order, so that processes with overlapping
 * groups can't deadlock. All bodies travel as one binary parameter: as an array they would be sent as text, twice the size. The position is
 * read once a statement. The lock on `events` comes before the transaction's ID: `log_horizon()` relies on it.
 */
const APPEND = `
WITH input AS MATERIALIZED (
  SELECT u.*, nextval('events_seq') AS seq, substring($1::bytea FROM u.body_at + 1 FOR u.body_length) AS body
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::boolean[], $8::text[], $9::text[],
    ${splitSql("$10")}, $11::text[], $12::timestamptz[], $13::int[], $14::int[], $15::bytea[])
    AS u(workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id,
      headers, remote_address, received_at, body_at, body_length, received_body)
), fresh AS (
  INSERT INTO event_keys (source_id, event_id, workspace_id, received_at, seq, body_sha256)
  SELECT source_id, event_id, workspace_id, received_at, seq, sha256(body) FROM input ORDER BY source_id, event_id
  ON CONFLICT DO NOTHING
  RETURNING source_id, event_id
), logged AS (
  INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised,
    signature_form, secret_id, body, headers, remote_address, received_body, xid)
  SELECT i.received_at, i.seq, i.workspace_id, i.source_id, i.event_id, i.type, i.created, i.recognised,
    i.signature_form, i.secret_id, i.body, i.headers::jsonb, i.remote_address, i.received_body, (SELECT log_position())
  FROM input i JOIN fresh USING (source_id, event_id)
)
SELECT i.source_id, i.event_id FROM input i WHERE NOT EXISTS (SELECT 1 FROM fresh f WHERE f.source_id = i.source_id AND f.event_id = i.event_id)`;

/** Counts repeats, also in key order, and returns the stored body's hash. */
const COUNT_REPEATS = `
WITH seen AS (
  SELECT k.source_id, k.event_id FROM event_keys k
  JOIN unnest($1::text[], $2::text[]) AS u(source_id, event_id) USING (source_id, event_id)
  ORDER BY k.source_id, k.event_id FOR UPDATE OF k
)
UPDATE event_keys k SET repeats = k.repeats + u.times, last_repeat_at = now()
FROM unnest($1::text[], $2::text[], $3::int[]) AS u(source_id, event_id, times), seen
WHERE k.source_id = u.source_id AND k.event_id = u.event_id AND seen.source_id = k.source_id AND seen.event_id = k.event_id
RETURNING k.source_id, k.event_id, k.body_sha256`;

const keyOf = (event: { sourceId: string; eventId: string }) => `${event.sourceId} ${event.eventId}`;

/** Stores events and returns a receipt for each, in order, once they are on disk; conflicts are not kept yet (keepConflicts). */
export async function appendEvents(from: pg.Pool, events: NewEvent[]): Promise<Receipt[]> {
  const firsts = new Map<string, NewEvent>();
  for (const event of events) {
    const key = keyOf(event);
    if (!firsts.has(key)) firsts.set(key, event);
  }
  const known = await append(from, [...firsts.values()]);
  if (known.size === 0 && firsts.size === events.length) return events.map(() => ({ outcome: "stored" }));
  const isNew = (event: NewEvent) => !known.has(keyOf(event)) && firsts.get(keyOf(event)) === event;
  const repeated = events.filter((event) => !isNew(event));
  const hashes = repeated.length > 0 ? await countRepeats(from, repeated) : new Map<string, Buffer>();
  const receipts: Receipt[] = [];
  for (const event of events) {
    if (isNew(event)) receipts.push({ outcome: "stored" });
    else receipts.push({ outcome: isSame(event, hashes.get(keyOf(event))) ? "duplicate" : "conflict" });
  }
  return receipts;
}

async function append(from: pg.Pool, events: NewEvent[]): Promise<Set<string>> {
  const [bytes, starts, lengths] = packed(events.map(({ body }) => body));
  const { rows } = await from.query<{ source_id: string; event_id: string }>({
    name: "append-events",
    text: APPEND,
    values: [
      bytes,
      ...arraysOf(events, "workspaceId", "sourceId", "eventId", "type", "created", "recognised", "signatureForm", "secretId"),
      joined(events.map(({ headers }) => JSON.stringify(headers))),
      ...arraysOf(events, "remoteAddress", "receivedAt"),
      starts,
      lengths,
      ...arraysOf(events, "receivedBody"),
    ],
  });
  return new Set(rows.map((row) => keyOf({ sourceId: row.source_id, eventId: row.event_id })));
}

async function countRepeats(from: pg.Pool, repeated: NewEvent[]): Promise<Map<string, Buffer>> {
  const times = new Map<string, { event: NewEvent; times: number }>();
  for (const event of repeated) {
    const entry = times.get(keyOf(event)) ?? { event, times: 0 };
    entry.times += 1;
    times.set(keyOf(event), entry);
  }
  const entries = [...times.values()];
  const { rows } = await from.query<{ source_id: string; event_id: string; body_sha256: Buffer }>({
    name: "count-repeats",
    text: COUNT_REPEATS,
    values: [entries.map(({ event }) => event.sourceId), entries.map(({ event }) => event.eventId), entries.map((entry) => entry.times)],
  });
  return new Map(rows.map((row) => [keyOf({ sourceId: row.source_id, eventId: row.event_id }), row.body_sha256]));
}

/** True for a repeat of the stored body. Earlier releases stored the bytes that came where others had been signed. */
function isSame({ body, receivedBody }: NewEvent, storedHash: Buffer | undefined): boolean {
  if (!storedHash) return true;
  return [body, receivedBody].some((bytes) => bytes !== null && createHash("sha256").update(bytes).digest().equals(storedHash));
}

/** Conflicting bodies that are kept per event, and the most bytes of each; of all others only hash and length are kept. */
const MAX_CONFLICT_BODIES = 3;
export const MAX_CONFLICT_BYTES = 65_536;

const HOLD_KEYS = `SELECT 1 FROM event_keys k JOIN unnest($1::text[], $2::text[]) AS u(source_id, event_id) USING (source_id, event_id)
  ORDER BY k.source_id, k.event_id FOR UPDATE OF k`;

const KEEP = `
INSERT INTO event_conflicts (source_id, event_id, body_sha256, workspace_id, received_at, body, headers, body_bytes)
SELECT $1, $2, $3, $4, $5, CASE WHEN fits THEN $6::bytea ELSE '' END, CASE WHEN fits THEN $7::jsonb ELSE '{}' END, $8
FROM (SELECT octet_length($6::bytea) > 0 AND count(*) < ${MAX_CONFLICT_BODIES} AS fits
        FROM event_conflicts WHERE source_id = $1 AND event_id = $2 AND octet_length(body) > 0) kept
ON CONFLICT (source_id, event_id, body_sha256) DO UPDATE SET repeats = event_conflicts.repeats + 1`;

/** Keeps events that conflict with stored ones, in one commit. Keys are locked while their bodies are counted. */
export const keepConflicts = (from: pg.Pool, events: NewEvent[], withBodies: boolean): Promise<void> =>
  inTransaction(from, async (client) => {
    await client.query(HOLD_KEYS, arraysOf(events, "sourceId", "eventId"));
    for (const { sourceId, eventId, workspaceId, receivedAt, body, headers } of events)
      await client.query(KEEP, [
        sourceId,
        eventId,
        createHash("sha256").update(body).digest(),
        workspaceId,
        receivedAt.toISOString(),
        Buffer.from(body.subarray(0, withBodies ? MAX_CONFLICT_BYTES : 0)),
        JSON.stringify(headers),
        body.length,
      ]);
  });
