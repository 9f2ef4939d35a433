import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { FieldMapping, FieldMappingPreview, PreviewedEvent } from "#lib/contracts/sources/field-mapping";
import { listNewestOf, listNewestTypes, type NewestEvent } from "#lib/events/log/newest-store";
import { planDelivery } from "#lib/flows/processing/plan-delivery";
import { parseJson, readEnvelope } from "#lib/platform/envelope";
import { PLATFORM_READING } from "#lib/platform/reading/source-reading";
import { canonicalText } from "#lib/views/fold/register";
import { pathsWithin } from "./payload-paths.ts";
import { findSource } from "./read-field-mapping.ts";
import { findUnreadable, readableOf } from "./unreadable-requests.ts";

const SHOWN_REQUESTS = 10;

type Trial = { mapping: FieldMapping; type?: string | undefined; limit: number };

/**
 * Tries a field mapping on the newest stored events and on the requests that could not be read: what is read now, and
 * what would be. The same reader and the same plan as the worker's; nothing is written.
 *
 * @throws AppError `not_found`
 */
export async function previewFieldMapping(
  workspaceId: WorkspaceId,
  sourceId: SourceId,
  { mapping, type, limit }: Trial,
): Promise<FieldMappingPreview> {
  const source = await findSource(workspaceId, sourceId);
  const [events, types, requests] = await Promise.all([
    listNewestOf(workspaceId, { sourceId, type }, limit),
    listNewestTypes(workspaceId, sourceId),
    findUnreadable(workspaceId, sourceId),
  ]);
  const tried = events.map((event) => tryOn(event, source.mapping, mapping));
  return {
    events: tried,
    changed: tried.filter(({ changes }) => changes.length > 0).length,
    fixed: tried.filter(({ failureBefore, failureAfter }) => failureBefore !== null && failureAfter === null).length,
    broken: tried.filter(({ failureBefore, failureAfter }) => failureBefore === null && failureAfter !== null).length,
    requests: requests.slice(0, SHOWN_REQUESTS).map(({ id, receivedAt, body }) => {
      const reading = readEnvelope(body, mapping);
      const envelope = reading.outcome === "envelope" ? reading.envelope : null;
      return {
        id,
        receivedAt: receivedAt.toISOString(),
        eventId: envelope?.id ?? null,
        type: envelope?.type ?? null,
        failureAfter: reading.outcome === "envelope" ? null : reading.detail,
      };
    }),
    readable: readableOf(requests, mapping).length,
    paths: pathsWithin([...events.flatMap((event) => dataOf(event, mapping)), ...requests.slice(0, SHOWN_REQUESTS).flatMap(bodyOf)]),
    types,
  };
}

/** Why nothing is read, or each thing that is: a record's ID, or one of its fields. */
type Reading = { failure: string | null; values: Map<string, { kind: string; field: string; value: unknown }> };

function tryOn(event: NewestEvent, now: FieldMapping, then: FieldMapping): PreviewedEvent {
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

function readWith(event: NewestEvent, mapping: FieldMapping): Reading {
  const { plan } = planDelivery(event, new Map([[event.sourceId, { ...PLATFORM_READING, mapping }]]));
  const values: Reading["values"] = new Map();
  if (plan.outcome !== "touches") return { failure: plan.text, values };
  for (const { kind, id, writes } of plan.touches) {
    values.set(`${kind} id`, { kind, field: "id", value: id });
    for (const { field, register } of writes) values.set(`${kind} ${field}`, { kind, field, value: register.v });
  }
  return { failure: null, values };
}

function dataOf({ body }: NewestEvent, mapping: FieldMapping): unknown[] {
  const reading = readEnvelope(body, mapping);
  return reading.outcome === "envelope" ? [reading.envelope.data] : [];
}

function bodyOf({ body }: { body: Uint8Array }): unknown[] {
  const json = parseJson(body);
  return json.ok ? [json.value] : [];
}
