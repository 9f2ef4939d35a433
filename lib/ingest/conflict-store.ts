import { createHash } from "node:crypto";
import type pg from "pg";
import { inTransaction } from "#lib/db/pool";
import type { NewEvent } from "./receipt.ts";

/** Conflicting bodies that are kept per event, and the most bytes of each; of all others only hash and length are kept. */
export const MAX_CONFLICT_BODIES = 3;
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
    await client.query(HOLD_KEYS, [events.map(({ sourceId }) => sourceId), events.map(({ eventId }) => eventId)]);
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
