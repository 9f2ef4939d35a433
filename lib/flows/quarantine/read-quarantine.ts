import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Page } from "#lib/contracts/api/parameters";
import type { Diagnosis, QuarantineDetail, QuarantineItem } from "#lib/contracts/quarantine";
import type { QuarantineFilter } from "#lib/contracts/quarantine-filters";
import { rawOf } from "#lib/flows/events/read-event";
import { locateJsonError } from "#lib/platform/json-text";
import { explainReason } from "#lib/quarantine/quarantine-reason";
import { findQuarantined, listQuarantine, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { shownHeaders } from "#lib/vault/sealed-headers";
import { diagnosePage, diagnoseQuarantined } from "./diagnose-quarantined.ts";

const itemOf = (entry: QuarantinedRequest, diagnosis: Diagnosis | null): QuarantineItem => ({
  id: entry.id,
  source: entry.sourceName,
  receivedAt: entry.receivedAt.toISOString(),
  reason: entry.reason,
  ...wordsOf(entry, diagnosis),
  diagnosis,
  verified: entry.verified,
  bytes: entry.bodyBytes,
  ip: entry.remoteAddress,
  releasedAt: entry.releasedAt?.toISOString() ?? null,
  dismissedAt: entry.dismissedAt?.toISOString() ?? null,
  dismissedBy: entry.dismissedBy,
});

function wordsOf(entry: QuarantinedRequest, diagnosis: Diagnosis | null): { verdict: string; fix: string } {
  if (entry.releasedAt) return { verdict: releasedWords(entry), fix: "Nothing to do: its event is in the log." };
  const { verdict, fix } = diagnosis ?? explainReason(entry.reason);
  return { verdict, fix };
}

const releasedWords = ({ verified }: QuarantinedRequest): string =>
  verified
    ? "Valid signature. It couldn't be read as an event at first and was released later."
    : "It failed verification at first, passed later and was released.";

export async function readQuarantine(
  workspaceId: WorkspaceId,
  filter: QuarantineFilter,
  paging: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<QuarantineItem>> {
  const page = await listQuarantine(workspaceId, filter, paging);
  const diagnoses = await diagnosePage(workspaceId, page.data, now);
  return { data: page.data.map((entry) => itemOf(entry, diagnoses.get(entry.id) ?? null)), nextCursor: page.nextCursor };
}

export async function readQuarantined(workspaceId: WorkspaceId, id: string, now: Date): Promise<QuarantineDetail | null> {
  const entry = await findQuarantined(workspaceId, id);
  if (!entry) return null;
  const diagnosis = await diagnoseQuarantined(workspaceId, entry, now);
  return {
    ...itemOf(entry, diagnosis),
    ...exchangeOf(entry),
    detail: entry.detail,
    parseError: parseErrorOf(entry),
    ...rawOf(Buffer.from(entry.body)),
  };
}

/** Returns null for a cut or empty body, of which the error would say nothing. */
const parseErrorOf = ({ body, bodyBytes }: QuarantinedRequest) =>
  body.length === 0 || body.length < bodyBytes ? null : locateJsonError(body);

/** Returns the request line, and the answer: 202 to whatever verified, which the sender does not send again. */
const exchangeOf = ({ sourceName, headers, verified }: QuarantinedRequest) => ({
  method: "POST" as const,
  path: `/webhooks/${encodeURIComponent(sourceName)}`,
  headers: shownHeaders(headers),
  answered: verified ? (202 as const) : (401 as const),
});
