import type { AlertNotificationKind } from "#lib/contracts/alerts/alerts";
import { ALERT_RULES, type AlertRuleKind } from "#lib/contracts/alerts/rules";

/** As PagerDuty names them. */
export type Severity = "critical" | "error" | "warning" | "info";

type Subject = { rule: AlertRuleKind; subject: string };

const SEVERITIES: Record<AlertRuleKind, Severity> = {
  issue: "warning",
  destination: "error",
  connection: "error",
  source_silent: "warning",
  rejected_requests: "warning",
  processing_lag: "error",
  no_worker: "critical",
  vault_key: "critical",
  backup_late: "warning",
  backup_proof: "warning",
};

export const severityOf = ({ rule, subject }: Subject): Severity => (subject === "test" ? "info" : SEVERITIES[rule]);

/** Colours of a line in messages, as six hexadecimal digits: failed, attention, over. */
export function colorOf(line: Subject & { kind: AlertNotificationKind }): string {
  if (line.kind === "recovered" || line.subject === "test") return "15803d";
  return severityOf(line) === "warning" ? "b45309" : "b91c1c";
}

const ORDER: Severity[] = ["critical", "error", "warning", "info"];

/** Returns how grave the alerts of each rule are: 0 for the gravest. */
export const RULE_RANKS = Object.fromEntries(ALERT_RULES.map((rule) => [rule, ORDER.indexOf(SEVERITIES[rule])]));

/** Returns where a line stands in its message: what is open before what is over, the worst first. */
export const rankOf = (line: Subject & { kind: AlertNotificationKind }): number =>
  (line.kind === "recovered" ? ORDER.length : 0) + ORDER.indexOf(severityOf(line));
