import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { QuarantineDetail, QuarantineItem } from "#lib/contracts/quarantine";
import { findQuarantined, listQuarantine, type QuarantineEntry } from "#lib/events/quarantine-store";
import { explainRefusal } from "#lib/events/refusals";
import { rawOf } from "./read-event.ts";

const itemOf = (entry: QuarantineEntry): QuarantineItem => ({
  id: entry.id,
  source: entry.sourceName,
  receivedAt: entry.receivedAt.toISOString(),
  reason: entry.reason,
  ...explainRefusal(entry.reason),
  verified: entry.verified,
  bytes: entry.bodyBytes,
  remoteAddress: entry.remoteAddress,
  admittedAt: entry.admittedAt?.toISOString() ?? null,
});

/** Refused requests, newest first, each with its verdict in words. */
export async function readQuarantine(
  workspaceId: WorkspaceId,
  paging: { limit: number; cursor?: string | undefined },
): Promise<Page<QuarantineItem>> {
  const page = await listQuarantine(workspaceId, paging);
  return { data: page.data.map(itemOf), nextCursor: page.nextCursor };
}

/** One refused request with its body; null when the workspace has none of that id. */
export async function readQuarantined(workspaceId: WorkspaceId, id: string): Promise<QuarantineDetail | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  return { ...itemOf(entry), detail: entry.detail, headers: entry.headers, ...rawOf(Buffer.from(entry.body)) };
}
