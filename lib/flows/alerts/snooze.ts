import { type AlertKey, findSnooze, type Snooze, setSnooze } from "#lib/alerts/alert-store";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import type { Snoozed, SnoozeFor } from "#lib/contracts/alerts";
import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { Issue } from "#lib/contracts/issues";
import { inTransaction, pool } from "#lib/db/pool";
import { eachIssue } from "#lib/flows/issues/change-issues";
import { readIssue } from "#lib/flows/issues/read-issues";
import { getAlert } from "./read-alerts.ts";

const HOUR_MS = 3_600_000;

/** Snoozes an alert's subject; those who were notified still get its recovery. @throws AppError `not_found` */
export async function snoozeAlert(actor: Actor, id: string, lasts: SnoozeFor, now: Date, audit: Audit): Promise<Snoozed> {
  const { rule, subject, title } = await getAlert(actor.workspaceId, id);
  return snooze(actor, { rule, subject, kind: "alert", id, name: title }, lasts, now, audit);
}

/** Snoozes the alerts of an issue, also future ones. @throws AppError `not_found` */
export async function snoozeIssue(actor: Actor, id: string, lasts: SnoozeFor, now: Date, audit: Audit): Promise<Snoozed> {
  const issue = await getIssue(actor.workspaceId, id, now);
  return snooze(actor, { rule: "issue", subject: id, kind: "issue", id, name: issue.title }, lasts, now, audit);
}

/** Snoozes several issues; unknown ones are left out. */
export const snoozeIssues = (actor: Actor, ids: string[], lasts: SnoozeFor, now: Date, audit: Audit) =>
  eachIssue(ids, audit, (id) => snoozeIssue(actor, id, lasts, now, audit));

export async function readIssueSnooze(workspaceId: WorkspaceId, id: string, now: Date): Promise<Snoozed> {
  await getIssue(workspaceId, id, now);
  return findIssueSnooze(workspaceId, id);
}

/** Finds the snooze for a caller that checks the issue itself. */
export async function findIssueSnooze(workspaceId: WorkspaceId, id: string): Promise<Snoozed> {
  const found = await findSnooze(workspaceId, "issue", id);
  return { snoozed: found && shownOf(found) };
}

async function getIssue(workspaceId: WorkspaceId, id: string, now: Date): Promise<Issue> {
  const issue = await readIssue(workspaceId, id, now);
  if (!issue) throw new AppError("not_found", "There is no issue with that ID.");
  return issue;
}

type Subject = Pick<AlertKey, "rule" | "subject"> & { kind: "alert" | "issue"; id: string; name: string };

async function snooze(actor: Actor, { rule, subject, ...target }: Subject, lasts: SnoozeFor, now: Date, audit: Audit): Promise<Snoozed> {
  const after = lasts === "none" ? null : { until: endOf(lasts, now), by: actorName(actor) };
  await inTransaction(pool(), async (client) => {
    const before = await setSnooze(client, { workspaceId: actor.workspaceId, rule, subject }, after);
    const action = after ? "alert.snoozed" : "alert.unsnoozed";
    await audit.record({ action, target, before: audited(before), after: audited(after) }, client);
  });
  return { snoozed: after && shownOf(after) };
}

function endOf(lasts: Exclude<SnoozeFor, "none">, now: Date): Date | null {
  if (lasts === "recurrence") return null;
  return new Date(now.getTime() + (lasts === "1h" ? 1 : 24) * HOUR_MS);
}

const shownOf = ({ until, by }: Snooze) => ({ until: until?.toISOString() ?? null, by });

const audited = (snooze: Snooze | null) => ({ snoozedUntil: snooze ? (snooze.until?.toISOString() ?? "it happens again") : null });
