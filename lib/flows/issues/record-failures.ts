import type pg from "pg";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { issueConditions, openAlerts } from "#lib/flows/alerts/conditions";
import { issueIdOf, wordsWithoutParticulars } from "#lib/issues/issue";
import { type FailedEvent, insertFailedEvents, type Recovered, settleByPlace, settleBySubject } from "#lib/issues/issue-event-store";
import { ensureIssues, listOpen, lockIssues, markRecurred, resolveSettled, type Sighting } from "#lib/issues/issue-ledger-store";
import { describeType } from "#lib/platform/event-catalogue";
import { eventSeconds } from "#lib/platform/event-time";
import { mayRecover, readFailureReport, recoveredSubject, recoveryTypes } from "#lib/platform/platform-reports";
import type { SourceReading } from "#lib/platform/read-event";
import type { Claimed } from "#lib/processing/inbox-store";

export type Dead = { claimed: Claimed; code: string; text: string };

type Noted = Sighting & FailedEvent;

export type FailureNotes = { reported: Noted[]; recovered: Recovered[] };

type Applied = { claimed: Claimed; notes: FailureNotes };

/** Reads failures from a payload, so that the payload itself need not be kept. Pure. */
export const failureNotesOf = (claimed: Claimed, data: Record<string, unknown>, { records, mapping }: SourceReading): FailureNotes =>
  records === "platform"
    ? { reported: reportedFailure(claimed, data, mapping), recovered: recoveredBy(claimed, data, mapping) }
    : { reported: [], recovered: [] };

/** Updates the issues in the batch's transaction: files failures, settles what succeeded after all, and resolves what has none left. */
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

/** Alerts for open issues only: acknowledged, ignored and ended ones alert nobody. */
async function alertOfOpen(client: pg.PoolClient, failed: Noted[]): Promise<void> {
  if (failed.length === 0) return;
  const issueIds = failed.map(({ issueId }) => issueId);
  const open = await listOpen(client, issueIds);
  await openAlerts(client, issueConditions(failed.filter(({ issueId }) => open.has(issueId))), "added");
}

/** Counts an event that was delivered twice in this batch once. */
const eachOnce = (failed: Noted[]) => [...new Map(failed.map((each) => [`${each.issueId} ${each.seq}`, each])).values()];

/** True if the event may have failed before: one that is applied at its first try has not. */
const triedBefore = ({ claimed: { redeliveryId, attempts } }: Applied) => redeliveryId !== null || attempts > 0;

/** Returns the time that orders events: a failure is over when a success of that time or later was applied. */
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

/** Returns the failure that the platform reports of itself: the webhook arrived and was applied. */
function reportedFailure(claimed: Claimed, data: Record<string, unknown>, mapping: FieldMapping): Noted[] {
  if (!describeType(claimed.type)?.reportsFailure) return [];
  const { workspaceId, receivedAt, seq, eventId, type } = claimed;
  const report = readFailureReport(type, data, mapping);
  if (!report) return [];
  // Without a code, the words tell one failure from another.
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
