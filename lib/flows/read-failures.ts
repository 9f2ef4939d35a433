import type { Failure, FailureItem } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { Page } from "#lib/contracts/paging";
import { explainFailure } from "#lib/deliveries/failures";
import { decodeSequenceCursor, encodeCursor } from "#lib/events/cursor";
import { type FailedEvent, listFailedEvents } from "#lib/events/log-statistics-store";
import { readEnvelope } from "#lib/platform/envelope";
import { describeType, FAILURE_TYPES } from "#lib/platform/event-catalogue";
import { readFact } from "#lib/platform/field-names";

/** What failed, newest first: events that could not be applied, and failures that the platform reports. */
export async function readFailures(
  workspaceId: WorkspaceId,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<FailureItem>> {
  const rows = await listFailedEvents(workspaceId, FAILURE_TYPES, limit + 1, cursor ? decodeSequenceCursor(cursor) : null);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { data: page.map(itemOf), nextCursor: rows.length > limit && last ? encodeCursor(last.receivedAt, last.seq) : null };
}

const itemOf = (failed: FailedEvent): FailureItem => ({
  event: failed.event,
  origin: failed.failureCode === null ? "platform" : "processing",
  failure:
    failed.failureCode === null
      ? platformFailure(failed.event.type, failed.body)
      : explainFailure(failed.failureCode, failed.failureText ?? ""),
  at: failed.at.toISOString(),
  attempts: failed.attempts,
});

/** A failure of the platform in its own words, as far as the payload has any. */
export function platformFailure(type: string, body: Uint8Array): Failure {
  const reading = readEnvelope(body);
  const data = reading.outcome === "envelope" ? reading.envelope.data : {};
  const message = readFact(data, "errorMessage")?.value;
  const code = readFact(data, "errorCode")?.value;
  const meaning = describeType(type)?.meaning ?? type;
  return {
    code: typeof code === "string" ? code : type,
    what: typeof message === "string" ? `${meaning}: ${message}` : meaning,
    why: "The platform reports this failure. The webhook itself arrived and was applied.",
    mend: "Mend it on the platform. When it succeeds there, its next event shows here by itself.",
  };
}
