import { isDeepStrictEqual } from "node:util";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import type { FieldMapping, FieldMappingChanged, SourceFieldMapping } from "#lib/contracts/sources/field-mapping";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { listMatching, listPositions, type NewestEvent, type NewestOf } from "#lib/events/log/event-body-store";
import { FIELD_NAMES } from "#lib/platform/field-names";
import { readingOf, readKept, type SourceReading } from "#lib/platform/read-event";
import { listVerifiedOf, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { findMappedSource, findReadings, lockReadings, type MappedSource, putMapping } from "#lib/sources/reading-store";
import type { StoredSource } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";

/** @throws AppError `not_found` */
export async function readFieldMapping(workspaceId: WorkspaceId, sourceId: SourceId): Promise<SourceFieldMapping> {
  const { id, name, mapping, changedAt, changedBy } = await findSource(workspaceId, sourceId);
  const envelope = Object.fromEntries(["id", "type", "created", "data"].map((part) => [`event.${part}`, [part]]));
  const facts = Object.fromEntries(Object.entries(FIELD_NAMES).map(([fact, paths]) => [fact, [...paths]]));
  return {
    source: { id, name },
    mapping,
    changedAt: changedAt?.toISOString() ?? null,
    changedBy,
    builtIn: { ...envelope, ...facts },
  };
}

export async function findSource(workspaceId: WorkspaceId, sourceId: SourceId): Promise<MappedSource> {
  const source = await findMappedSource(workspaceId, sourceId);
  if (!source) throw new AppError("not_found", "There is no source with that ID.");
  return source;
}

export async function findReading(sourceId: SourceId, mapping: FieldMapping): Promise<SourceReading> {
  const readings = await findReadings(pool(), [sourceId]);
  return { ...readingOf(readings, sourceId), mapping };
}

const COUNTED = 1001;

/** Replaces a field mapping. What was read before stays until it is re-delivered or rebuilt (docs/decisions/0061).
 * @throws AppError `not_found` */
export async function changeFieldMapping(
  actor: Actor,
  sourceId: SourceId,
  mapping: FieldMapping,
  now: Date,
  audit: Audit,
): Promise<FieldMappingChanged> {
  const { workspaceId } = actor;
  const { name, notifyHere } = await inTransaction(pool(), async (client) => {
    await lockReadings(client);
    const source = await findMappedSource(workspaceId, sourceId, client);
    if (!source) throw new AppError("not_found", "There is no source with that ID.");
    if (isDeepStrictEqual(source.mapping, mapping)) {
      audit.unchanged();
      return { name: source.name, notifyHere: () => undefined };
    }
    await putMapping(client, workspaceId, sourceId, mapping, actorName(actor));
    const target = { kind: "source", id: sourceId, name: source.name };
    const [before, after] = [{ mapping: source.mapping }, { mapping }];
    await audit.record({ action: "source.field_mapping_changed", target, before, after }, client);
    // The receiver keeps what it knows of a source for some seconds.
    return { name: source.name, notifyHere: await notifyOnCommit(client, "sources", workspaceId) };
  });
  notifyHere();
  const requests = await findUnreadable(workspaceId, sourceId);
  return {
    mapping,
    failedEvents: (await listPositions(workspaceId, { source: name, state: ["failed"] }, COUNTED, now)).length,
    releasable: (await readableOf(requests, await findReading(sourceId, mapping))).length,
  };
}

/** True if fields can be mapped: another sender's events are read as its template says. */
export const isMappable = ({ template, records }: Pick<StoredSource, "template" | "records">): boolean =>
  template === "platform" || records === "platform";

export const listFailingOf = (workspaceId: WorkspaceId, source: MappedSource, issues: string[], newest: NewestOf): Promise<NewestEvent[]> =>
  listMatching(workspaceId, failedEventsOf(source, issues), newest);

/** Returns exactly the events that a re-delivery of these issues delivers again. */
const failedEventsOf = ({ name }: { id: SourceId; name: string }, issue: string[]): EventFilter => ({
  issue,
  source: name,
  state: ["failed"],
});

const LOOKED_AT = 500;

/** Lists the newest verified requests in quarantine, which were answered 202 and are no events. */
export const findUnreadable = (workspaceId: WorkspaceId, sourceId: SourceId): Promise<QuarantinedRequest[]> =>
  listVerifiedOf(pool(), workspaceId, sourceId, LOOKED_AT);

export async function readableOf(requests: QuarantinedRequest[], reading: SourceReading): Promise<QuarantinedRequest[]> {
  const read = await mapInPieces(requests, (request) => readKept(request, reading).outcome === "events");
  return requests.filter((_, index) => read[index]);
}
