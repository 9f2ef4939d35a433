import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { EventSummary } from "#lib/contracts/events/events";
import { listByIds, type NewestEvent } from "#lib/events/log/event-body-store";
import { readFailureReport } from "#lib/platform/platform-reports";
import { aboutOf, readStored, type SourceReading } from "#lib/platform/read-event";
import { findReadingsByName } from "#lib/sources/reading-store";
import { mapInPieces } from "#lib/time/waits";

/** What is read for a row is told in less. */
const MAX_ROW_BYTES = 65_536;
/** Bodies of a page that are read for what its events are about, the newest first: 50 pull requests of GitHub, or 2,000 short events. */
const MAX_ABOUT_BYTES = 2 * 1_048_576;

/**
 * Adds what is told by the payloads, as they are read now: what the platform says in an event that reports a failure (its message, else its
 * code), and what an event is about, where its source's reading has a text for it.
 */
export async function withPayloadTexts<E extends EventSummary>(
  workspaceId: WorkspaceId,
  events: E[],
  { about: withAbout = true } = {},
): Promise<E[]> {
  if (events.length === 0 || (!withAbout && !events.some(({ reportsFailure }) => reportsFailure))) return events;
  const sources = await findReadingsByName(workspaceId, [...new Set(events.map(({ source }) => source))]);
  const readings = new Map(sources.map(({ name, reading }) => [name, reading]));
  let left = MAX_ABOUT_BYTES;
  const read = events.filter(({ reportsFailure, source, bytes }) => {
    if (bytes > MAX_ROW_BYTES) return false;
    if (!withAbout || readings.get(source)?.event?.about === undefined) return reportsFailure;
    left -= bytes;
    return left >= 0 || reportsFailure;
  });
  if (read.length === 0) return events;
  const stored = await listByIds(workspaceId, [...new Set(read.map(({ id }) => id))]);
  const sourceById = new Map(sources.map((source) => [source.id, source]));
  const asked = new Set(read.map(({ source, id }) => placeOf(source, id)));
  const texts = await mapInPieces(stored, (event) => {
    const source = sourceById.get(event.sourceId);
    if (source === undefined) return [];
    const place = placeOf(source.name, event.eventId);
    return asked.has(place) ? [[place, textsOf(event, source.reading)] as const] : [];
  });
  const found = new Map(texts.flat());
  return events.map((event) => {
    const { reported = null, about } = found.get(placeOf(event.source, event.id)) ?? {};
    return { ...event, ...(event.reportsFailure && { reportedMessage: reported }), ...(withAbout && about !== undefined && { about }) };
  });
}

function textsOf({ type, body }: NewestEvent, reading: SourceReading): { reported: string | null; about: string | undefined } {
  const about = aboutOf(body, reading);
  if (reading.records !== "platform") return { reported: null, about };
  const read = readStored(body, reading);
  const report = read.outcome === "data" ? readFailureReport(type, read.data, reading.mapping) : null;
  const code = report === null || report.code === type ? null : report.code;
  return { reported: report?.message ?? code, about };
}

/** Two sources may use the same ID. */
const placeOf = (source: string, id: string) => `${source} ${id}`;
