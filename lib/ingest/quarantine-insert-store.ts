import type pg from "pg";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineReason } from "#lib/contracts/quarantine";
import { arraysOf, packed } from "#lib/db/columns";
import { inTransaction } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";
import { PLATFORM_READING, readKept, type SourceReading } from "#lib/platform/read-event";
import type { SignatureForm } from "#lib/platform/signature";

/** Bytes of an unverified body that are kept; its full length is recorded. */
export const KEPT_UNVERIFIED_BYTES = 65_536;

export type NewQuarantinedRequest = {
  workspaceId: WorkspaceId;
  sourceId: SourceId;
  receivedAt: Date;
  reason: QuarantineReason;
  detail: string;
  verified: boolean;
  body: Uint8Array;
  /** Length before it was cut, in bytes. */
  bodyBytes: number;
  headers: Record<string, string>;
  remoteAddress: string | null;
  /** The secret that it verified with; null when it did not verify, or came before this was recorded. */
  secretId?: string | null;
  signatureForm?: SignatureForm | null;
  /** Reading of its source's events; the platform's when left out. */
  reading?: SourceReading;
};

const INSERT = `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address,
    secret_id, reads_as_event, signature_form)
  SELECT id, w, s, at, reason, detail, verified, substring($1::bytea FROM start + 1 FOR length), bytes, headers, ip, secret, reads, form
  FROM unnest($2::int[], $3::int[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::boolean[], $11::int[],
    $12::jsonb[], $13::text[], $14::text[], $15::boolean[], $16::text[])
    AS u(start, length, id, w, s, at, reason, detail, verified, bytes, headers, ip, secret, reads, form)`;

export async function insertQuarantine(from: Connection, entries: NewQuarantinedRequest[]): Promise<string[]> {
  const rows = entries.map((entry) => ({
    ...entry,
    id: newId("qtn"),
    headers: JSON.stringify(entry.headers),
    readsAsEvent: entry.verified ? null : readsAsEvent(entry),
  }));
  const bodies = packed(entries.map(({ body }) => body));
  await from.query(INSERT, [
    ...bodies,
    ...arraysOf(rows, "id", "workspaceId", "sourceId", "receivedAt", "reason", "detail", "verified", "bodyBytes", "headers"),
    ...arraysOf(rows, "remoteAddress", "secretId", "readsAsEvent", "signatureForm"),
  ]);
  return rows.map(({ id }) => id);
}

/** Decodes no more than is kept of a plain body: anyone can send it, and the process receives webhooks. The diagnosis reads all of it. */
const readsAsEvent = (entry: NewQuarantinedRequest): boolean =>
  readKept(entry, entry.reading ?? PLATFORM_READING, KEPT_UNVERIFIED_BYTES).outcome === "events";

/** Keeps requests of paused sources, after a resume in progress; null for each whose source is not paused by then. */
export const holdForPause = (from: pg.Pool, entries: NewQuarantinedRequest[]): Promise<(string | null)[]> =>
  inTransaction(from, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM sources WHERE id = ANY($1) AND paused_at IS NOT NULL ORDER BY id FOR SHARE",
      [[...new Set(entries.map(({ sourceId }) => sourceId))]],
    );
    const paused = new Set(rows.map(({ id }) => id));
    const held = entries.filter(({ sourceId }) => paused.has(sourceId));
    const ids = held.length === 0 ? [] : await insertQuarantine(client, held);
    const idOf = new Map(held.map((entry, index) => [entry, ids[index] ?? null]));
    return entries.map((entry) => idOf.get(entry) ?? null);
  });
