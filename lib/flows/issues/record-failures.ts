import type pg from "pg";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { issueConditions } from "#lib/flows/alerts/conditions/issue-conditions";
import { openAlerts } from "#lib/flows/alerts/open-alerts";
import { issueIdOf, wordsWithoutParticulars } from "#lib/issues/fingerprint";
import { type FailedEvent, insertFailedEvents, type Recovered, settleByPlace, settleBySubject } from "#lib/issues/issue-event-store";
import { ensureIssues, listOpen, lockIssues, markRecurred, resolveSettled, type Sighting } from "#lib/issues/issue-ledger-store";
import { describeType } from "#lib/platform/event-catalogue";
import { eventSeconds } from "#lib/platform/event-time";
import { mayRecover, readFailureReport, recoveredSubject, recoveryTypes } from "#lib/platform/failure-report";
import type { SourceReading } from "#lib/platform/reading/source-reading";
import type { Claimed } from "#lib/processing/inbox-store";

/** An event whose last try failed. */
export type Dead = { claimed: Claimed; code: string; text: string };

type Noted = Sighting & FailedEvent;

/** Failures in an event's payload: those that it reports, and those that it resolves. */
export type FailureNotes = { reported: Noted[]; recovered: Recovered[] };

/** An event that was applied, with what was noted of its payload. */
type Applied = { claimed: Claimed; notes: FailureNotes };

/** Reads what an event's payload says of failures, so that the payload itself need not be kept. Pure. */
export const failureNotesOf = (claimed: Claimed, data: Record<string, unknown>, { records, mapping }: SourceReading): FailureNotes =>
  records === "platform"
    ? { reported: reportedFailure(claimed, data, mapping), recovered: recoveredBy(claimed, data, mapping) }
    : { reported: [], recovered: [] };

/**
 * Keeps the issues in step with what a batch did, in the batch's transaction:
 * events that died and failures that the platform reports are filed under their
 * issues, what succeeded after all is settled, and an issue without a failing
 * event is resolved. Costs one small statement for a batch in which nothing
 * fails, none when nothing in it could end a failure.
 */
export async function recordFailures(client: pg.PoolClient, applied: Applied[], dead: Dead[], now: Date): Promise<void> {
  const failed = eachOnce([...dead.map((each) => deadEvent(each, now)), ...applied.flatMap(({ notes }) => notes.reported)]);
  if (failed.length > 0) await ensureIssues(client, failed);
  const left = [
    ...(await settleByPlace(client, [...applied.filter(triedBefore).map(placeOf), ...dead.map(placeLeft)], now)),
    ...(await settleBySubject(
      client,
      applied.flatMap(({ notes }) => notes.recovered),
      now,
    )),
  ];
  const touched = [...new Set([...failed.map(({ issueId }) => issueId), ...left])];
  if (touched.length === 0) return;
  await lockIssues(client, touched);
  if (failed.length > 0) {
    const failedAgain = await insertFailedEvents(client, failed, now);
    const again = failed.filter(({ issueId }) => failedAgain.has(issueId));
    await markRecurred(client, again, now);
    await resolveSettled(client, touched, now);
    await alertOfOpen(client, again);
  } else await resolveSettled(client, touched, now);
}

/** Issues that are open after a failure; those that are acknowledged, ignored or already over alert nobody. */
async function alertOfOpen(client: pg.PoolClient, failed: Noted[]): Promise<void> {
  if (failed.length === 0) return;
  const open = await listOpen(
    client,
    failed.map(({ issueId }) => issueId),
  );
  await openAlerts(client, issueConditions(failed.filter(({ issueId }) => open.has(issueId))), "added");
}

/** An event that was delivered twice in this batch failed once. */
const eachOnce = (failed: Noted[]) => [...new Map(failed.map((each) => [`${each.issueId} ${each.seq}`, each])).values()];

/** An event that is applied at its first try has never failed. */
const triedBefore = ({ claimed: { redeliveryId, attempts } }: Applied) => redeliveryId !== null || attempts > 0;

/** A failure is over when a success of the same time or later was applied: both by the time that orders events. */
const orderOf = ({ claimed: { created, receivedAt } }: { claimed: Claimed }) => eventSeconds(created, receivedAt);

const placeOf = ({ claimed: { workspaceId, receivedAt, seq } }: { claimed: Claimed }) => ({ workspaceId, receivedAt, seq, except: null });
const placeLeft = (dead: Dead) => ({ ...placeOf(dead), except: deadIssueId(dead) });

const fingerprintOf = ({ claimed, code, text }: Dead) =>
  ({ origin: "processing", code, type: claimed.type, place: wordsWithoutParticulars(text) }) as const;

const deadIssueId = (dead: Dead) => issueIdOf(dead.claimed.workspaceId, fingerprintOf(dead));

function deadEvent(dead: Dead, now: Date): Noted {
  const { workspaceId, receivedAt, seq, eventId } = dead.claimed;
  const issueId = deadIssueId(dead);
  const event = { issueId, workspaceId, receivedAt, seq, eventId, created: orderOf(dead), failedAt: now, seenAt: now };
  return { ...event, ...fingerprintOf(dead), words: dead.text, subject: null, recoveredBy: [] };
}

/** Returns what the platform reports of itself: the webhook arrived and was applied. */
function reportedFailure(claimed: Claimed, data: Record<string, unknown>, mapping: FieldMapping): Noted[] {
  if (!describeType(claimed.type)?.reportsFailure) return [];
  const { workspaceId, receivedAt, seq, eventId, type } = claimed;
  const report = readFailureReport(type, data, mapping);
  if (!report) return [];
  // Without a code the words tell one failure from another.
  const detail = report.code === type && report.message !== null ? wordsWithoutParticulars(report.message) : "";
  const place = [report.place, detail].filter(Boolean).join(" ");
  const fingerprint = { origin: "platform", code: report.code, type, place } as const;
  const event = { workspaceId, receivedAt, seq, eventId, created: orderOf({ claimed }), failedAt: receivedAt, seenAt: receivedAt };
  const words = report.message ?? describeType(type)?.meaning ?? type;
  return [
    {
      issueId: issueIdOf(workspaceId, fingerprint),
      ...event,
      ...fingerprint,
      words,
      subject: report.subject ?? "",
      recoveredBy: recoveryTypes(type),
    },
  ];
}

function recoveredBy(claimed: Claimed, data: Record<string, unknown>, mapping: FieldMapping): Recovered[] {
  if (!mayRecover(claimed.type)) return [];
  const subject = recoveredSubject(claimed.type, data, mapping);
  return subject === null ? [] : [{ workspaceId: claimed.workspaceId, subject, created: orderOf({ claimed }) }];
}
