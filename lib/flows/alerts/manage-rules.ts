import { lockRule, type RuleSettings, updateRule } from "#lib/alerts/alert-settings-store";
import { type AlertKey, findSnooze, type Snooze, setSnooze } from "#lib/alerts/alert-store";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { RULE_WORDS } from "#lib/contracts/alert-rules";
import type { AlertRule, AlertRuleKind, ChangeAlertRuleBody, MuteFor, Snoozed, SnoozeFor } from "#lib/contracts/alerts";
import { expectFound, invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { eachIssue, readIssue } from "#lib/flows/issues/issues";
import { getAlert, readAlertRules } from "./read-alerts.ts";

const HOUR_MS = 3_600_000;
const MUTES: Record<Exclude<MuteFor, "none">, number> = { "1h": HOUR_MS, "1d": 24 * HOUR_MS, "7d": 168 * HOUR_MS };

/** Changes a rule. Open, unsent alerts are sent once it is on and not muted. @throws AppError `invalid_request` for a setting that it can't have */
export async function changeAlertRule({ actor, now, audit }: Context, kind: AlertRuleKind, body: ChangeAlertRuleBody): Promise<AlertRule> {
  assertThreshold(kind, body.threshold);
  if (body.types?.length && !RULE_WORDS[kind].ofTypes) throw invalidField("types", "This rule is about no types of events.");
  await inTransaction(pool(), async (client) => {
    const before = await lockRule(client, actor.workspaceId, kind);
    const after: RuleSettings = {
      enabled: body.enabled ?? before.enabled,
      threshold: body.threshold === undefined ? before.threshold : body.threshold,
      types: [...new Set(body.types ?? before.types)],
      ...(body.muteFor === undefined ? { mutedUntil: before.mutedUntil, mutedBy: before.mutedBy } : muted(body.muteFor, actor, now)),
    };
    await updateRule(client, actor.workspaceId, kind, after);
    const target = { kind: "alert_rule", id: kind, name: RULE_WORDS[kind].title };
    await audit.record({ action: "alert_rule.changed", target, before: audited(before), after: audited(after) }, client);
  });
  const rule = (await readAlertRules(actor.workspaceId)).find((each) => each.kind === kind);
  if (!rule) throw new Error(`there is no rule ${kind}`);
  return rule;
}

const muted = (muteFor: MuteFor, actor: Actor, now: Date) =>
  muteFor === "none"
    ? { mutedUntil: null, mutedBy: null }
    : { mutedUntil: new Date(now.getTime() + MUTES[muteFor]), mutedBy: actorName(actor) };

function assertThreshold(kind: AlertRuleKind, value: number | null | undefined): void {
  const { threshold } = RULE_WORDS[kind];
  if (value === undefined || value === null) return;
  const message = threshold ? `Enter ${threshold.least} to ${threshold.most} ${threshold.unit}.` : "This rule has no threshold.";
  if (!threshold || value < threshold.least || value > threshold.most) throw invalidField("threshold", message);
}

const audited = ({ enabled, threshold, types, mutedUntil }: RuleSettings) => ({
  enabled,
  threshold,
  types,
  mutedUntil: mutedUntil?.toISOString() ?? null,
});

/** Snoozes an alert's subject; those who were notified still get its recovery. @throws AppError `not_found` */
export async function snoozeAlert(context: Context, id: string, lasts: SnoozeFor): Promise<Snoozed> {
  const { rule, subject, title } = await getAlert(context.workspaceId, id);
  return snooze(context, { rule, subject, kind: "alert", id, name: title }, lasts);
}

/** Snoozes the alerts of an issue, also future ones. @throws AppError `not_found` */
export async function snoozeIssue(context: Context, id: string, lasts: SnoozeFor): Promise<Snoozed> {
  const issue = await expectFound(readIssue(context.workspaceId, id, context.now), "issue with that ID");
  return snooze(context, { rule: "issue", subject: id, kind: "issue", id, name: issue.title }, lasts);
}

/** Snoozes several issues; unknown ones are left out. */
export const snoozeIssues = (context: Context, ids: string[], lasts: SnoozeFor) =>
  eachIssue(context, ids, (id) => snoozeIssue(context, id, lasts));

export async function readIssueSnooze(workspaceId: WorkspaceId, id: string, now: Date): Promise<Snoozed> {
  await expectFound(readIssue(workspaceId, id, now), "issue with that ID");
  return findIssueSnooze(workspaceId, id);
}

/** Finds the snooze for a caller that checks the issue itself. */
export async function findIssueSnooze(workspaceId: WorkspaceId, id: string): Promise<Snoozed> {
  const found = await findSnooze(workspaceId, "issue", id);
  return { snoozed: found && shownOf(found) };
}

type Subject = Pick<AlertKey, "rule" | "subject"> & { kind: "alert" | "issue"; id: string; name: string };

async function snooze(
  { workspaceId, actor, now, audit }: Context,
  { rule, subject, ...target }: Subject,
  lasts: SnoozeFor,
): Promise<Snoozed> {
  const after = lasts === "none" ? null : { until: endOf(lasts, now), by: actorName(actor) };
  await inTransaction(pool(), async (client) => {
    const before = await setSnooze(client, { workspaceId, rule, subject }, after);
    const action = after ? "alert.snoozed" : "alert.unsnoozed";
    await audit.record({ action, target, before: auditedSnooze(before), after: auditedSnooze(after) }, client);
  });
  return { snoozed: after && shownOf(after) };
}

function endOf(lasts: Exclude<SnoozeFor, "none">, now: Date): Date | null {
  if (lasts === "recurrence") return null;
  return new Date(now.getTime() + (lasts === "1h" ? 1 : 24) * HOUR_MS);
}

const shownOf = ({ until, by }: Snooze) => ({ until: until?.toISOString() ?? null, by });

const auditedSnooze = (snooze: Snooze | null) => ({ snoozedUntil: snooze ? (snooze.until?.toISOString() ?? "it happens again") : null });
