import { isDeepStrictEqual } from "node:util";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { PreviewedRequest, ReadingPreview } from "#lib/contracts/sources/reading-preview";
import type { EventReading } from "#lib/contracts/sources/scheme-settings";
import { pool } from "#lib/db/pool";
import { listNewestOf } from "#lib/events/log/event-body-store";
import { NO_MAPPING } from "#lib/platform/field-names";
import { type RequestReading, readingOfStored, readKept, type SourceReading } from "#lib/platform/read-event";
import { listVerifiedOf } from "#lib/quarantine/quarantine-store";
import { listSources } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";

const EVENTS_TRIED = 25;
const REQUESTS_TRIED = 10;

/** Tries a reading on the newest events and quarantined requests; writes nothing. Lists are tried on quarantined requests alone, because
 * they are stored as their entries. @throws AppError `not_found` */
export async function previewReading(workspaceId: WorkspaceId, sourceId: SourceId, reading: EventReading | null): Promise<ReadingPreview> {
  const source = (await listSources(workspaceId)).find(({ id }) => id === sourceId);
  if (!source) throw new AppError("not_found", "There is no source with that ID.");
  const [now, then] = [source.reading, reading].map((each) => readingOfStored({ ...source, reading: each, mapping: NO_MAPPING }));
  if (!now || !then) throw new Error("there are two readings");
  const isOfLists = now.event?.items !== undefined || then.event?.items !== undefined;
  const [events, requests] = await Promise.all([
    isOfLists ? [] : listNewestOf(workspaceId, { sourceId }, EVENTS_TRIED),
    listVerifiedOf(pool(), workspaceId, sourceId, REQUESTS_TRIED),
  ]);
  const tried: PreviewedRequest[] = [
    ...(await mapInPieces(requests, (request) => {
      return { kind: "quarantined" as const, ...tryOn(request, request.id, partsOf(readKept(request, now)), then) };
    })),
    ...(await mapInPieces(events, (event) => {
      const stored = { id: event.eventId, type: event.type, created: event.created };
      return { kind: "event" as const, ...tryOn(event, event.eventId, stored, then) };
    })),
  ];
  const isFailing = ({ failure }: PreviewedRequest) => failure !== null;
  return {
    requests: tried.toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a))),
    changed: tried.filter(({ before, after }) => after !== null && !isDeepStrictEqual(before, after)).length,
    failing: tried.filter(isFailing).length,
  };
}

type Kept = Parameters<typeof readKept>[0];

function tryOn(kept: Kept, id: string, before: PreviewedRequest["before"], then: SourceReading): Omit<PreviewedRequest, "kind"> {
  const read = readKept(kept, then);
  const events = read.outcome === "events" ? read.events : [];
  const failure = read.outcome === "events" ? null : read.detail;
  return { id, receivedAt: kept.receivedAt.toISOString(), before, after: partsOf(read), events: events.length, failure };
}

function partsOf(read: RequestReading): PreviewedRequest["after"] {
  const first = read.outcome === "events" ? read.events[0]?.envelope : undefined;
  return first ? { id: first.id, type: first.type, created: first.created } : null;
}
