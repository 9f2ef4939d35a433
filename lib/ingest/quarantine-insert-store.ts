import type pg from "pg";
import { newId, type SourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineReason } from "#lib/contracts/quarantine";
import { readKept } from "#lib/platform/reading/read-event";
import { PLATFORM_READING, type SourceReading } from "#lib/platform/reading/source-reading";

/** A request as the receiver puts it into quarantine. */
export type NewQuarantinedRequest = {
  workspaceId: WorkspaceId;
  sourceId: SourceId;
  receivedAt: Date;
  reason: QuarantineReason;
  detail: string;
  verified: boolean;
  body: Uint8Array;
  /** The length before it was cut, in bytes. */
  bodyBytes: number;
  headers: Record<string, string>;
  remoteAddress: string | null;
  /** The secret that it verified with; null when it did not verify, or came before this was recorded. */
  secretId?: string | null;
  /** Reading of its source's events; the platform's when left out. */
  reading?: SourceReading;
};

/**
 * Keeps requests that are no event of the log.
 *
 * @returns the ids of the entries, in order
 */
export async function insertQuarantine(from: pg.Pool, entries: NewQuarantinedRequest[]): Promise<string[]> {
  const ids = entries.map(() => newId("qtn"));
  const values = entries.flatMap((entry, index) => [
    ids[index],
    entry.workspaceId,
    entry.sourceId,
    entry.receivedAt.toISOString(),
    entry.reason,
    entry.detail,
    entry.verified,
    entry.body,
    entry.bodyBytes,
    JSON.stringify(entry.headers),
    entry.remoteAddress,
    entry.secretId ?? null,
    entry.verified ? null : readKept(entry, entry.reading ?? PLATFORM_READING).outcome === "events",
  ]);
  const width = 13;
  const tuples = entries.map(
    (_, row) => `(${Array.from({ length: width }, (_unused, column) => `$${row * width + column + 1}`).join(",")})`,
  );
  await from.query(
    `INSERT INTO quarantine (id, workspace_id, source_id, received_at, reason, detail, verified, body, body_bytes, headers, remote_address, secret_id, reads_as_event)
     VALUES ${tuples.join(",")}`,
    values,
  );
  return ids;
}
