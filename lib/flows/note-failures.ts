import type pg from "pg";
import { issueIdOf, wordsWithoutParticulars } from "#lib/deliveries/fingerprint";
import type { Claimed } from "#lib/deliveries/inbox-store";
import { type FailedEvent, insertFailedEvents, type Recovered, settleByPlace, settleBySubject } from "#lib/deliveries/issue-event-store";
import { ensureIssues, lockIssues, markRecurred, resolveSettled, type Sighting } from "#lib/deliveries/issue-ledger-store";
import { describeType } from "#lib/platform/event-catalogue";
import { mayRecover, readFailureReport, recoveredSubject, recoveryTypes } from "#lib/platform/failure-report";

/** An event whose last try failed. */
export type Dead = { claimed: Claimed; code: string; text: string };

/** An event that was applied, with the payload that it was read from. */
type Applied = { claimed: Claimed; data: Record<string, unknown> };

type Noted = Sighting & FailedEvent;

/**
 * Keeps the issues in step with what a batch did, in the batch's transaction:
 * events that died and failures that the platform reports are filed under their
 * issues, what succeeded after all is settled, and an issue without a failing
 * event is resolved. Costs one small statement for a batch in which nothing
 * fails, none when nothing in it could end a failure.
 */
export async function noteFailures(client: pg.PoolClient, applied: Applied[], dead: Dead[], now = new Date()): Promise<void> {
  const failed = eachOnce([...dead.map((each) => deadEvent(each, now)), ...applied.flatMap(reportedFailure)]);
  if (failed.length > 0) await ensureIssues(client, failed);
  const left = [
    ...(await settleByPlace(client, [...applied.filter(triedBefore).map(placeOf), ...dead.map(placeLeft)], now)),
    ...(await settleBySubject(client, applied.flatMap(recoveredBy), now)),
  ];
  const touched = [...new Set([...failed.map(({ issueId }) => issueId), ...left])];
  if (touched.length === 0) return;
  await lockIssues(client, touched);
  if (failed.length > 0) {
    const anew = await insertFailedEvents(client, failed, now);
    await markRecurred(
      client,
      failed.filter(({ issueId }) => anew.has(issueId)),
      now,
    );
  }
  await resolveSettled(client, touched, now);
}

/** An event that was delivered twice in this batch failed once. */
const eachOnce = (failed: Noted[]) => [...new Map(failed.map((each) => [`${each.issueId} ${each.seq}`, each])).values()];

/** An event that is applied at its first try has never failed. */
const triedBefore = ({ claimed: { redeliveryId, attempts } }: Applied) => redeliveryId !== null || attempts > 0;

const placeOf = ({ claimed: { workspaceId, receivedAt, seq } }: { claimed: Claimed }) => ({ workspaceId, receivedAt, seq, except: null });
const placeLeft = (dead: Dead) => ({ ...placeOf(dead), except: deadIssueId(dead) });

const fingerprintOf = ({ claimed, code, text }: Dead) =>
  ({ origin: "processing", code, type: claimed.type, place: wordsWithoutParticulars(text) }) as const;

const deadIssueId = (dead: Dead) => issueIdOf(dead.claimed.workspaceId, fingerprintOf(dead));

function deadEvent(dead: Dead, now: Date): Noted {
  const { workspaceId, receivedAt, seq, eventId, created } = dead.claimed;
  const issueId = deadIssueId(dead);
  const event = { issueId, workspaceId, receivedAt, seq, eventId, created, failedAt: now, seenAt: now };
  return { ...event, ...fingerprintOf(dead), words: dead.text, subject: null, recoveredBy: [] };
}

/** What the platform reports of itself: the webhook arrived and was applied. */
function reportedFailure({ claimed, data }: Applied): Noted[] {
  if (!describeType(claimed.type)?.reportsFailure) return [];
  const { workspaceId, receivedAt, seq, eventId, created, type } = claimed;
  const report = readFailureReport(type, data);
  if (!report) return [];
  // Without a code the words tell one failure from another.
  const detail = report.code === type && report.message !== null ? wordsWithoutParticulars(report.message) : "";
  const place = [report.place, detail].filter(Boolean).join(" ");
  const fingerprint = { origin: "platform", code: report.code, type, place } as const;
  const event = { workspaceId, receivedAt, seq, eventId, created, failedAt: receivedAt, seenAt: receivedAt };
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

function recoveredBy({ claimed, data }: Applied): Recovered[] {
  if (!mayRecover(claimed.type)) return [];
  const subject = recoveredSubject(claimed.type, data);
  return subject === null ? [] : [{ workspaceId: claimed.workspaceId, subject, created: claimed.created }];
}
