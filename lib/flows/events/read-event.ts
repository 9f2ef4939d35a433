import { isUtf8 } from "node:buffer";
import type { AuditAction } from "#lib/auth/audit/audit-entry";
import { listActions } from "#lib/auth/audit/audit-store";
import { env } from "#lib/config/env";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { type Annotation, type Effect, type EventDetail, type EventSummary, MAX_ANNOTATIONS } from "#lib/contracts/events/events";
import { pool } from "#lib/db/pool";
import { listChanges } from "#lib/event-types/history-store";
import { splitPath } from "#lib/event-types/paths";
import { schemaIdOf } from "#lib/event-types/schema-store";
import { findEvent, listConflicts, listResourceEvents, type StoredEvent } from "#lib/events/event-store";
import { variantOfEvent } from "#lib/flows/event-types/learn-event-types";
import { nameEvents } from "#lib/flows/views/read-views";
import { findIssueOfEvent } from "#lib/issues/issue-store";
import { listLocalDeliveries } from "#lib/listeners/listener-store";
import { traceIdentity } from "#lib/observability/active-tracing";
import { listAbsences, listVersionChanges } from "#lib/outages/outage-store";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { createdNote, eventSeconds } from "#lib/platform/event-time";
import { readPayload } from "#lib/platform/payload";
import { readingOf, readStored, type SourceReading } from "#lib/platform/read-event";
import { findDeadLetter, listAttempts } from "#lib/processing/attempt-store";
import { explainFailure } from "#lib/processing/failures";
import { listRedeliveriesOf } from "#lib/processing/redelivery-store";
import { findReadings, findSchemes } from "#lib/sources/reading-store";
import { shownHeaders } from "#lib/vault/sealed-values";
import { readEffects } from "./read-effects.ts";

const RELATED = 20;

export async function readEvent(workspaceId: WorkspaceId, eventId: string): Promise<EventDetail | null> {
  const stored = await findEvent(workspaceId, eventId);
  if (!stored) return null;
  const reading = readingOf(await findReadings(pool(), [stored.sourceId]), stored.sourceId);
  const read = readStored(stored.body, reading);
  const data = read.outcome === "data" ? read.data : {};
  const [attempts, deliveries, localDeliveries, deadLetter, issueId, conflicts, { effects, partialHistories }, related, firstWith] =
    await Promise.all([
      listAttempts(workspaceId, stored),
      listRedeliveriesOf(workspaceId, stored),
      listLocalDeliveries(workspaceId, eventId),
      findDeadLetter(workspaceId, stored),
      findIssueOfEvent(workspaceId, stored),
      listConflicts(stored.sourceId, eventId),
      readEffects(
        workspaceId,
        { eventId, type: stored.summary.type, created: eventSeconds(stored.created, stored.receivedAt), data },
        stored,
        reading,
      ),
      relatedOf(workspaceId, stored),
      readFirstWith(workspaceId, stored, data, reading),
    ]);
  const [summary, ...named] = await nameEvents(workspaceId, [stored.summary, ...related]);
  return {
    ...(summary ?? stored.summary),
    envelope: parsed(stored.body, reading),
    ...rawOf(stored.body),
    receivedRaw: stored.receivedBody && isUtf8(stored.receivedBody) ? stored.receivedBody.toString() : null,
    headers: shownHeaders(stored.headers),
    ip: stored.remoteAddress,
    verification: {
      form: stored.signatureForm,
      secretId: stored.secretId,
      secretCreatedAt: stored.secretCreatedAt?.toISOString() ?? null,
      ...(stored.signatureForm === "partly_signed" && { covers: await coveredFields(stored.sourceId) }),
    },
    createdNote: createdNote(stored.created, stored.receivedAt),
    shapeNotes: reading.records === "platform" ? shapeNotes(stored.summary.type, data) : [],
    firstWith,
    appliedAt: attempts.find(({ outcome }) => outcome === "applied")?.at ?? null,
    failure: deadLetter ? explainFailure(deadLetter.failureCode, deadLetter.failureText) : null,
    issueId,
    attempts,
    deliveries: deliveries.map(({ id, state, requestedBy, createdAt }) => ({ id, state, requestedBy, createdAt })),
    localDeliveries,
    effects: effects.map((effect) => withName(effect, summary)),
    partial: partialHistories.length > 0,
    partialHistories,
    related: named,
    traceUrl: env().TRACE_URL?.replaceAll("{traceId}", traceIdentity(stored.sourceId, eventId).traceId) ?? null,
    conflictBodies: conflicts.map(({ receivedAt, body, sha256, bytes, repeats }) => ({
      receivedAt: receivedAt.toISOString(),
      raw: body.length === 0 ? null : body.toString("utf8"),
      sha256: sha256.toString("hex"),
      bytes,
      repeats,
    })),
  };
}

export function rawOf(body: Buffer): { raw: string | null; rawBase64: string | null } {
  try {
    return { raw: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body), rawBase64: null };
  } catch {
    return { raw: null, rawBase64: body.toString("base64") };
  }
}

const coveredFields = async (sourceId: string): Promise<string[]> => [
  ...((await findSchemes(pool(), [sourceId])).get(sourceId)?.scheme.covers ?? []),
];

/** Returns null for a payload that is nested too deep for JSON: it is shown raw only. */
function parsed(body: Buffer, { event }: SourceReading): unknown {
  const payload = readPayload(body, event ?? {});
  if (!payload.ok) return null;
  try {
    JSON.stringify(payload.value);
    return payload.value;
  } catch {
    return null;
  }
}

/** Takes the name from the event, which names every record that it changes. */
function withName(effect: Effect, event: EventSummary | undefined): Effect {
  const name = event?.resources.find(({ kind, id }) => kind === effect.kind && id === effect.resourceId)?.name;
  return name === undefined ? effect : { ...effect, resourceName: name };
}

async function relatedOf(workspaceId: WorkspaceId, stored: StoredEvent) {
  const [subject] = [...stored.summary.resources].sort((a, b) => rankOf(a.kind) - rankOf(b.kind));
  if (!subject) return [];
  const events = await listResourceEvents(workspaceId, subject.kind, subject.id, RELATED);
  return events.filter(({ id }) => id !== stored.summary.id);
}

const MAX_FIRST = 50;

/** Returns what no event of its type had before: a field, a type or a value of one. Of a field with others in it, itself alone. */
async function readFirstWith(
  workspaceId: WorkspaceId,
  { sourceId, signatureForm, summary: { id, type } }: StoredEvent,
  data: Record<string, unknown>,
  reading: SourceReading,
): Promise<string[]> {
  const variant = variantOfEvent(signatureForm, data, reading);
  if (variant === null) return [];
  const schemaId = schemaIdOf({ workspaceId, sourceId: sourceId as SourceId, type, variant });
  const changes = (await listChanges(workspaceId, schemaId, { event: id }, { limit: MAX_FIRST })).data;
  const fields = new Set(changes.flatMap(({ kind, path }) => (kind === "field_appeared" && path !== null ? [path] : [])));
  const words = changes.flatMap(({ kind, path, detail }) => {
    if (path === null || holdersOf(path).some((holder) => fields.has(holder))) return [];
    if (kind === "field_appeared") return [path];
    if (kind === "type_appeared") return [`${path} as ${detail}`];
    return kind === "value_appeared" ? [`${path} = ${detail}`] : [];
  });
  return [...new Set(words)].sort();
}

function holdersOf(path: string): string[] {
  const split = splitPath(path);
  return split === null ? [] : [split.parent, ...holdersOf(split.parent)];
}

/** Ranks the narrowest first, because it tells most: a run before its automation, a task before its pipeline. */
const rankOf = (kind: string) => ["task", "run", "document", "integration", "automation", "pipeline", "record"].indexOf(kind);

/** Actions that change which requests are accepted, or how they are read. */
const ACTIONS: AuditAction[] = [
  "secret.added",
  "secret.rotated",
  "secret.accepted_again",
  "secret.ended",
  "source.created",
  "source.changed",
  "source.archived",
  "source.restored",
  "source.paused",
  "source.resumed",
  "source.field_mapping_changed",
];

/** A shorter absence is a restart. */
const NOTABLE_AWAY_MS = 60_000;

/** Returns what may explain a change in a period's events: the newest 100, oldest first. @param period ISO 8601 */
export async function readAnnotations(workspaceId: WorkspaceId, period: { from: string; to: string }): Promise<Annotation[]> {
  const [actions, versions, absences] = await Promise.all([
    listActions(workspaceId, ACTIONS, period, MAX_ANNOTATIONS),
    listVersionChanges(period),
    listAbsences(new Date(period.from)),
  ]);
  const all: Annotation[] = [
    // Read newest first; of one millisecond the order stays.
    ...actions.toReversed().map(({ at, does, target }) => ({
      ...{ kind: "change" as const, at, until: null },
      text: target?.name ? `${does}: ${target.name}` : does,
    })),
    ...versions.map(({ at, from, to }) => ({
      ...{ kind: "version" as const, at: at.toISOString(), until: null },
      text: `Updated Signalbox from ${from} to ${to}`,
    })),
    ...absences
      .filter(({ from, to }) => to.getTime() - from.getTime() >= NOTABLE_AWAY_MS && from <= new Date(period.to))
      .map(({ from, to }) => ({
        ...{ kind: "outage" as const, at: from.toISOString(), until: to.toISOString() },
        text: "Signalbox was not running",
      })),
  ];
  return all.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))).slice(-MAX_ANNOTATIONS);
}
