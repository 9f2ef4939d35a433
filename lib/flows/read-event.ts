import type { EventDetail } from "#lib/contracts/events";
import type { WorkspaceId } from "#lib/contracts/ids";
import { listAttempts } from "#lib/deliveries/attempt-store";
import { findDeadLetter } from "#lib/deliveries/dead-letter-store";
import { explainFailure } from "#lib/deliveries/failures";
import { findIssueOfEvent } from "#lib/deliveries/issue-store";
import { listRedeliveriesOf } from "#lib/deliveries/redelivery-store";
import { findEvent, listConflicts, listResourceEvents, type StoredEvent } from "#lib/events/event-store";
import { parseJson, readEnvelope } from "#lib/platform/envelope";
import { shapeNotes } from "#lib/platform/event-catalogue";
import { readEffects } from "./read-effects.ts";

const RELATED = 20;

/** Everything about one event; null when the workspace has none of that id. */
export async function readEvent(workspaceId: WorkspaceId, eventId: string): Promise<EventDetail | null> {
  const stored = await findEvent(workspaceId, eventId);
  if (!stored) return null;
  const reading = readEnvelope(stored.body);
  const data = reading.outcome === "envelope" ? reading.envelope.data : {};
  const [attempts, deliveries, deadLetter, issueId, conflicts, effects, related] = await Promise.all([
    listAttempts(workspaceId, stored),
    listRedeliveriesOf(workspaceId, stored),
    findDeadLetter(workspaceId, stored),
    findIssueOfEvent(workspaceId, stored),
    listConflicts(stored.sourceId, eventId),
    readEffects(workspaceId, { eventId, type: stored.summary.type, created: stored.created, data }),
    relatedOf(workspaceId, stored),
  ]);
  return {
    ...stored.summary,
    envelope: parsed(stored.body),
    ...rawOf(stored.body),
    headers: stored.headers,
    remoteAddress: stored.remoteAddress,
    verification: {
      form: stored.signatureForm,
      secretId: stored.secretId,
      secretCreatedAt: stored.secretCreatedAt?.toISOString() ?? null,
    },
    shapeNotes: shapeNotes(stored.summary.type, data),
    appliedAt: attempts.find(({ outcome }) => outcome === "applied")?.at ?? null,
    failure: deadLetter ? explainFailure(deadLetter.failureCode, deadLetter.failureText) : null,
    issueId,
    attempts,
    deliveries: deliveries.map(({ id, state, requestedBy, createdAt }) => ({ id, state, requestedBy, createdAt })),
    effects,
    related,
    conflictBodies: conflicts.map(({ receivedAt, body, repeats }) => ({
      receivedAt: receivedAt.toISOString(),
      raw: body.toString("utf8"),
      repeats,
    })),
  };
}

/** The body as text, or in base64 when it is not UTF-8. */
export function rawOf(body: Buffer): { raw: string | null; rawBase64: string | null } {
  try {
    return { raw: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body), rawBase64: null };
  } catch {
    return { raw: null, rawBase64: body.toString("base64") };
  }
}

/** A payload nested too deep to be sent as JSON is shown raw only. */
function parsed(body: Buffer): unknown {
  const json = parseJson(body);
  if (!json.ok) return null;
  try {
    JSON.stringify(json.value);
    return json.value;
  } catch {
    return null;
  }
}

async function relatedOf(workspaceId: WorkspaceId, stored: StoredEvent) {
  const [subject] = [...stored.summary.resources].sort((a, b) => rankOf(a.kind) - rankOf(b.kind));
  if (!subject) return [];
  const events = await listResourceEvents(workspaceId, subject.kind, subject.id, RELATED);
  return events.filter(({ id }) => id !== stored.summary.id);
}

/** The narrowest resource tells most: a run before its automation, a task before its pipeline. */
const rankOf = (kind: string) => ["task", "run", "document", "integration", "automation", "pipeline"].indexOf(kind);
