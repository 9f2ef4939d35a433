import { isDeepStrictEqual } from "node:util";
import { actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { expectFound } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { EventFilter } from "#lib/contracts/events/events";
import { isExactNumber } from "#lib/contracts/exact-json";
import { MAX_REDELIVERED } from "#lib/contracts/list-filters";
import type {
  FieldMapping,
  FieldMappingChanged,
  FieldMappingPreview,
  PreviewedEvent,
  SourceFieldMapping,
} from "#lib/contracts/sources/field-mapping";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import {
  listAndCount,
  listMatching,
  listNewestOf,
  listNewestTypes,
  listPositions,
  type NewestEvent,
} from "#lib/events/log/event-body-store";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import { FIELD_NAMES } from "#lib/platform/field-names";
import { readPayload } from "#lib/platform/payload";
import { readingOf, readKept, readStored, type SourceReading } from "#lib/platform/read-event";
import { countVerifiedOf, listVerifiedOf, type QuarantinedRequest } from "#lib/quarantine/quarantine-store";
import { findMappedSource, findReadings, lockReadings, type MappedSource, putMapping } from "#lib/sources/reading-store";
import type { StoredSource } from "#lib/sources/source-store";
import { mapInPieces } from "#lib/time/waits";
import { canonicalText } from "#lib/views/fold/register";

/** @throws AppError `not_found` */
export async function readFieldMapping(workspaceId: WorkspaceId, sourceId: SourceId): Promise<SourceFieldMapping> {
  const { id, name, mapping, changedAt, changedBy } = await getMappedSource(workspaceId, sourceId);
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

export const getMappedSource = (workspaceId: WorkspaceId, sourceId: SourceId): Promise<MappedSource> =>
  expectFound(findMappedSource(workspaceId, sourceId), "source with that ID");

async function findReading(sourceId: SourceId, mapping: FieldMapping): Promise<SourceReading> {
  const readings = await findReadings(pool(), [sourceId]);
  return { ...readingOf(readings, sourceId), mapping };
}

/** One more than a re-delivery takes. */
const COUNTED = MAX_REDELIVERED + 1;

/** Replaces a field mapping. What was read before stays until it is re-delivered or rebuilt (docs/decisions/0061).
 * @throws AppError `not_found` */
export async function changeFieldMapping(
  { workspaceId, actor, now, audit }: Context,
  sourceId: SourceId,
  mapping: FieldMapping,
): Promise<FieldMappingChanged> {
  const source = await inTransaction(pool(), async (client) => {
    await lockReadings(client);
    const before = await expectFound(findMappedSource(workspaceId, sourceId, client), "source with that ID");
    if (isDeepStrictEqual(before.mapping, mapping)) audit.unchanged();
    else {
      await putMapping(client, workspaceId, sourceId, mapping, actorName(actor));
      const target = { kind: "source", id: sourceId, name: before.name };
      const change = { before: { mapping: before.mapping }, after: { mapping } };
      await audit.record({ action: "source.field_mapping_changed", target, ...change }, client);
      // The receiver keeps what it knows of a source for some seconds.
      await notifyOnCommit(client, "sources", workspaceId);
    }
    return before;
  });
  const { requests, quarantined } = await findUnreadable(workspaceId, sourceId);
  return {
    mapping,
    failedEvents: (await listPositions(workspaceId, { source: source.name, state: ["failed"] }, COUNTED, now)).length,
    quarantined,
    releasable: (await readableOf(requests, await findReading(sourceId, mapping))).length,
  };
}

/** True if fields can be mapped: another sender's events are read as its template says. */
export const isMappable = ({ template, records }: Pick<StoredSource, "template" | "records">): boolean =>
  template === "platform" || records === "platform";

const FAILED_TRIED = 500;

/** Lists the newest 500 failed events of these issues, and counts all that a re-delivery would take. */
export const listFailingOf = (workspaceId: WorkspaceId, source: MappedSource, issues: string[], now: Date) =>
  listAndCount(workspaceId, failedEventsOf(source, issues), { limit: FAILED_TRIED, counted: COUNTED, now });

/** Returns exactly the events that a re-delivery of these issues delivers again. */
const failedEventsOf = ({ name }: { id: SourceId; name: string }, issue: string[]): EventFilter => ({
  issue,
  source: name,
  state: ["failed"],
});

const LOOKED_AT = 500;

/** Lists the newest requests in quarantine that were answered 202 and are no events, and counts all. */
async function findUnreadable(workspaceId: WorkspaceId, sourceId: SourceId) {
  const [requests, total] = await Promise.all([
    listVerifiedOf(workspaceId, sourceId, LOOKED_AT, "invalid_envelope"),
    countVerifiedOf(workspaceId, sourceId, "invalid_envelope"),
  ]);
  return { requests, quarantined: { tried: requests.length, total } };
}

async function readableOf(requests: QuarantinedRequest[], reading: SourceReading): Promise<QuarantinedRequest[]> {
  const read = await mapInPieces(requests, (request) => readKept(request, reading).outcome === "events");
  return requests.filter((_, index) => read[index]);
}

const SHOWN_REQUESTS = 10;
/** Applied events that are tried with the failed ones. */
const OTHERS_TRIED = 200;

type Trial = { mapping: FieldMapping; type?: string | undefined; issues?: string[] | undefined; limit: number; now: Date };

/** Tries a field mapping on the newest events and unreadable requests, with the worker's reader and plan; writes nothing. With `issues`,
 * their failed events are tried apart from applied ones. @throws AppError `not_found` */
export async function previewFieldMapping(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { mapping, type, issues, limit, now: at }: Trial,
): Promise<FieldMappingPreview> {
  const source = await getMappedSource(workspaceId, sourceId);
  const found = issues ? await listFailingOf(workspaceId, source, issues, at) : null;
  const failing = found?.events;
  const [newest, types, { requests, quarantined }, now, then] = await Promise.all([
    failing ? listAppliedOf(workspaceId, source, type, failing, at) : listNewestOf(workspaceId, { sourceId, type }, limit),
    listNewestTypes(workspaceId, sourceId),
    findUnreadable(workspaceId, sourceId),
    findReading(sourceId, source.mapping),
    findReading(sourceId, mapping),
  ]);
  const tried = await mapInPieces(newest, (event) => tryOn(event, now, then));
  const triedFailing = found && (await mapInPieces(found.events, (event) => tryOn(event, now, then)));
  const shown = [...(failing ?? []).slice(0, limit), ...newest.slice(0, limit)];
  return {
    // Events that would change, and failed ones that still would fail, are the ones to read.
    events: (failing ? first(tried, ({ changes }) => changes.length > 0) : tried).slice(0, limit),
    tried: tried.length,
    ...countsOf(tried),
    failing: triedFailing
      ? {
          tried: triedFailing.length,
          total: found.total,
          // Also with the mapping that is saved: they failed with an earlier one.
          fixed: triedFailing.filter(({ failureAfter }) => failureAfter === null).length,
          events: first(triedFailing, ({ failureAfter }) => failureAfter !== null).slice(0, limit),
        }
      : null,
    requests: await mapInPieces(requests.slice(0, SHOWN_REQUESTS), (request) => previewedRequestOf(request, then)),
    quarantined,
    readable: (await readableOf(requests, then)).length,
    paths: pathsWithin([
      ...(await mapInPieces(shown, (event) => dataOf(event, then))).flat(),
      ...(await mapInPieces(requests.slice(0, SHOWN_REQUESTS), bodyOf)).flat(),
    ]),
    types,
  };
}

/** Lists events like the failed ones that are applied now: of their types, or of the requested one. */
const listAppliedOf = (workspaceId: WorkspaceId, { name }: MappedSource, type: string | undefined, failing: NewestEvent[], at: Date) => {
  const types = type === undefined ? [...new Set(failing.map((event) => event.type))] : [type];
  return listMatching(
    workspaceId,
    { source: name, state: ["processed"], ...(types.length > 0 && { type: types }) },
    { limit: OTHERS_TRIED, now: at },
  );
};

const first = <T>(all: T[], isFirst: (one: T) => boolean): T[] => all.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));

const countsOf = (tried: PreviewedEvent[]) => ({
  changed: tried.filter(({ changes }) => changes.length > 0).length,
  fixed: tried.filter(({ failureBefore, failureAfter }) => failureBefore !== null && failureAfter === null).length,
  broken: tried.filter(({ failureBefore, failureAfter }) => failureBefore === null && failureAfter !== null).length,
});

function previewedRequestOf(request: QuarantinedRequest, then: SourceReading): FieldMappingPreview["requests"][number] {
  const reading = readKept(request, then);
  const envelope = reading.outcome === "events" ? reading.events[0]?.envelope : null;
  return {
    id: request.id,
    receivedAt: request.receivedAt.toISOString(),
    eventId: envelope?.id ?? null,
    type: envelope?.type ?? null,
    failureAfter: reading.outcome === "events" ? null : reading.detail,
  };
}

type Reading = { failure: string | null; values: Map<string, { kind: string; field: string; value: unknown }> };

function tryOn(event: NewestEvent, now: SourceReading, then: SourceReading): PreviewedEvent {
  const [before, after] = [readWith(event, now), readWith(event, then)];
  const changes = [...new Set([...before.values.keys(), ...after.values.keys()])].flatMap((key) => {
    const [was, is] = [before.values.get(key), after.values.get(key)];
    const one = is ?? was;
    if (!one || canonicalText(was?.value ?? null) === canonicalText(is?.value ?? null)) return [];
    return [{ kind: one.kind, field: one.field, before: was?.value ?? null, after: is?.value ?? null }];
  });
  return {
    eventId: event.eventId,
    type: event.type,
    receivedAt: event.receivedAt.toISOString(),
    changes,
    failureBefore: before.failure,
    failureAfter: after.failure,
  };
}

function readWith(event: NewestEvent, reading: SourceReading): Reading {
  const { plan } = planDelivery(event, new Map([[event.sourceId, reading]]));
  const values: Reading["values"] = new Map();
  if (plan.outcome !== "touches") return { failure: plan.text, values };
  for (const { kind, id, writes } of plan.touches) {
    values.set(`${kind} id`, { kind, field: "id", value: id });
    for (const { field, register } of writes) values.set(`${kind} ${field}`, { kind, field, value: register.v });
  }
  return { failure: null, values };
}

function dataOf({ body }: NewestEvent, reading: SourceReading): unknown[] {
  const read = readStored(body, reading);
  return read.outcome === "data" ? [read.data] : [];
}

function bodyOf({ body }: { body: Uint8Array }): unknown[] {
  const payload = readPayload(body);
  return payload.ok ? [payload.value] : [];
}

const MAX_PATHS = 200;
const MAX_DEPTH = 6;
const EXAMPLE_LENGTH = 80;

/** Returns the paths with a value that is no object, each with its first example; at most 200. */
function pathsWithin(payloads: unknown[]): { path: string; example: string }[] {
  const found = new Map<string, string>();
  for (const payload of payloads) walk(payload, [], found);
  return [...found].map(([path, example]) => ({ path, example })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function walk(value: unknown, keys: string[], found: Map<string, string>): void {
  if (found.size >= MAX_PATHS || value === null || value === undefined) return;
  if (typeof value !== "object" || isExactNumber(value)) {
    const path = keys.join(".");
    // A key with a dot can't be told from two keys.
    if (keys.length > 0 && !keys.some((key) => key.includes(".")) && !found.has(path))
      found.set(path.slice(0, 200), String(value).slice(0, EXAMPLE_LENGTH).toWellFormed());
    return;
  }
  if (keys.length >= MAX_DEPTH) return;
  for (const [key, part] of Object.entries(value).slice(0, MAX_PATHS)) walk(part, [...keys, key], found);
}
