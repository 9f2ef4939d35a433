import { lockRule, type RuleSettings, updateRule } from "#lib/alerts/alert-settings-store";
import { type Actor, actorName } from "#lib/auth/actor";
import type { Audit } from "#lib/auth/audit/audit";
import { type AlertRule, type AlertRuleKind, type ChangeAlertRuleBody, type MuteFor, RULE_WORDS } from "#lib/contracts/alerts";
import { invalidField } from "#lib/contracts/api/app-error";
import { inTransaction, pool } from "#lib/db/pool";
import { readAlertRules } from "./read-alerts.ts";

const HOUR_MS = 3_600_000;
const MUTES: Record<Exclude<MuteFor, "none">, number> = { "1h": HOUR_MS, "1d": 24 * HOUR_MS, "7d": 168 * HOUR_MS };

/** Changes a rule. Open, unsent alerts are sent once it is on and not muted. @throws AppError `invalid_request` for a wrong threshold */
export async function changeAlertRule(
  actor: Actor,
  kind: AlertRuleKind,
  body: ChangeAlertRuleBody,
  now: Date,
  audit: Audit,
): Promise<AlertRule> {
  assertThreshold(kind, body.threshold);
  await inTransaction(pool(), async (client) => {
    const before = await lockRule(client, actor.workspaceId, kind);
    const after: RuleSettings = {
      enabled: body.enabled ?? before.enabled,
      threshold: body.threshold === undefined ? before.threshold : body.threshold,
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

const audited = ({ enabled, threshold, mutedUntil }: RuleSettings) => ({
  enabled,
  threshold,
  mutedUntil: mutedUntil?.toISOString() ?? null,
});
