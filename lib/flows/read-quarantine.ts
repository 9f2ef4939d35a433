import type { Diagnosis } from "#lib/contracts/diagnosis";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import type { QuarantineDetail, QuarantineItem } from "#lib/contracts/quarantine";
import { findQuarantined, listQuarantine, type QuarantineEntry } from "#lib/events/quarantine-store";
import { explainRefusal } from "#lib/events/refusals";
import { diagnosePage, diagnoseQuarantined } from "./diagnose-quarantined.ts";
import { rawOf } from "./read-event.ts";

const itemOf = (entry: QuarantineEntry, diagnosis: Diagnosis | null): QuarantineItem => ({
  id: entry.id,
  source: entry.sourceName,
  receivedAt: entry.receivedAt.toISOString(),
  reason: entry.reason,
  ...wordsOf(entry, diagnosis),
  diagnosis,
  verified: entry.verified,
  bytes: entry.bodyBytes,
  remoteAddress: entry.remoteAddress,
  admittedAt: entry.admittedAt?.toISOString() ?? null,
});

function wordsOf(entry: QuarantineEntry, diagnosis: Diagnosis | null): { verdict: string; mend: string } {
  if (entry.admittedAt)
    return { verdict: "It was refused, verified later, and was admitted.", mend: "Nothing to do: its event is in the log." };
  const { verdict, mend } = diagnosis ?? explainRefusal(entry.reason);
  return { verdict, mend };
}

/** Refused requests, newest first, each with its verdict in words. */
export async function readQuarantine(
  workspaceId: WorkspaceId,
  paging: { limit: number; cursor?: string | undefined },
): Promise<Page<QuarantineItem>> {
  const page = await listQuarantine(workspaceId, paging);
  const diagnoses = await diagnosePage(workspaceId, page.data, new Date());
  return { data: page.data.map((entry) => itemOf(entry, diagnoses.get(entry.id) ?? null)), nextCursor: page.nextCursor };
}

/** One refused request with its body; null when the workspace has none of that id. */
export async function readQuarantined(workspaceId: WorkspaceId, id: string): Promise<QuarantineDetail | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  const diagnosis = await diagnoseQuarantined(workspaceId, entry, new Date());
  return { ...itemOf(entry, diagnosis), detail: entry.detail, headers: entry.headers, ...rawOf(Buffer.from(entry.body)) };
}
