import { ALERT_RULES } from "#lib/contracts/alert-rules";
import type { AlertNotificationKind, AlertRuleKind } from "#lib/contracts/alerts";

/** As PagerDuty names them. */
export type Severity = "critical" | "error" | "warning" | "info";

type Subject = { rule: AlertRuleKind; subject: string };

const SEVERITIES: Record<AlertRuleKind, Severity> = {
  issue: "warning",
  schema_drift: "warning",
  destination: "error",
  connection: "error",
  source_silent: "warning",
  rejected_requests: "warning",
  processing_lag: "error",
  no_worker: "critical",
  no_receiver: "critical",
  vault_key: "critical",
  backup_late: "warning",
  backup_proof: "warning",
};

export const severityOf = ({ rule, subject }: Subject): Severity => (subject === "test" ? "info" : SEVERITIES[rule]);

/** Returns six hexadecimal digits: failed, attention or over. */
export function colorOf(line: Subject & { kind: AlertNotificationKind }): string {
  if (line.kind === "recovered" || line.subject === "test") return "15803d";
  return severityOf(line) === "warning" ? "b45309" : "b91c1c";
}

const ORDER: Severity[] = ["critical", "error", "warning", "info"];

/** 0 for the gravest. */
export const RULE_RANKS = Object.fromEntries(ALERT_RULES.map((rule) => [rule, ORDER.indexOf(SEVERITIES[rule])]));

/** Ranks a line in its message: open before over, the gravest first. */
export const rankOf = (line: Subject & { kind: AlertNotificationKind }): number =>
  (line.kind === "recovered" ? ORDER.length : 0) + ORDER.indexOf(severityOf(line));
