import type { FilterOf, Filters } from "./api/filters.ts";
import { upTo } from "./format-count.ts";

export const ALERT_RULES = [
  "issue",
  "schema_drift",
  "destination",
  "connection",
  "source_silent",
  "rejected_requests",
  "processing_lag",
  "no_worker",
  "no_receiver",
  "vault_key",
  "backup_late",
  "backup_proof",
] as const;
type AlertRuleKind = (typeof ALERT_RULES)[number];

type Threshold = { usual: number; least: number; most: number; unit: string };

/** `ofTypes`: it is about events, and may be limited to some types. */
export const RULE_WORDS: Record<AlertRuleKind, { title: string; description: string; threshold?: Threshold; ofTypes?: true }> = {
  issue: { title: "Issue opened or recurred", description: "A new failure, or a resolved one that happened again.", ofTypes: true },
  schema_drift: {
    title: "Schema drift",
    description: "The events of a type are not what they always were: a field vanished, has another type or is null, or a value is new.",
    ofTypes: true,
  },
  destination: {
    title: "Destination suspended or delivery exhausted",
    description: "A destination was suspended, or the last attempt of a delivery failed.",
  },
  connection: { title: "Connection needs re-authorization", description: "Access has ended, and Signalbox can't renew it." },
  source_silent: { title: "Source silent", description: "A source has sent nothing for much longer than usual." },
  rejected_requests: {
    title: "Rejected requests rising",
    description: "The number of requests quarantined in the last 15 minutes.",
    threshold: { usual: 20, least: 1, most: 1000, unit: "requests in 15 minutes" },
  },
  processing_lag: {
    title: "Processing lag",
    description: "How long the oldest event has waited to be applied.",
    threshold: { usual: 60, least: 10, most: 86_400, unit: "seconds" },
  },
  no_worker: {
    title: "No worker running",
    description: "Events are stored but not applied. A web process sends this alert.",
    threshold: { usual: 60, least: 20, most: 3600, unit: "seconds" },
  },
  no_receiver: {
    title: "No web process running",
    description: "Webhooks are not received. A worker sends this alert.",
    threshold: { usual: 60, least: 20, most: 3600, unit: "seconds" },
  },
  vault_key: { title: "Vault key missing", description: "Stored secrets can't be decrypted: a key is missing from VAULT_KEYS." },
  backup_late: {
    title: "Backup or retention overdue",
    description: "The last good backup is too old or did not reach the store, or expired events have not been deleted.",
  },
  backup_proof: {
    title: "Test restore of a backup failed",
    description: "The newest stored backup could not be restored into a scratch database and compared.",
  },
};

export const ALERT_CHANNEL_KINDS = ["email", "slack", "teams", "discord", "pagerduty", "webhook"] as const;

export const CHANNEL_LABELS: Record<(typeof ALERT_CHANNEL_KINDS)[number], string> = {
  email: "Email",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  pagerduty: "PagerDuty",
  webhook: "Signed webhook",
};

export const ALERT_STATES = ["open", "closed"] as const;

/** A new filter is an entry here and its SQL in lib/alerts/alert-store.ts. */
export const ALERT_FILTERS = {
  state: {
    value: { kind: "choice", values: ALERT_STATES },
    label: "State",
    choices: { open: "Open", closed: "Recovered" },
    input: { as: "buttons", any: "All" },
  },
  rule: {
    value: { kind: "choice", values: ALERT_RULES },
    label: "Rule",
    choices: Object.fromEntries(ALERT_RULES.map((kind) => [kind, RULE_WORDS[kind].title])),
    input: { as: "select", any: "All rules" },
  },
  subject: { value: { kind: "text", max: 200 }, label: "Subject" },
  grouped: { value: { kind: "flag" }, label: "Newest of each subject" },
} as const satisfies Filters;
export type AlertFilter = FilterOf<typeof ALERT_FILTERS>;

/** Alerts of one subject are counted up to here. */
export const ALERT_COUNT_CAP = 1000;

/** Returns a count that is capped at 1,001 in words: `1 delivery held`, `14 deliveries held`, `more than 1,000 failures`. */
export function amountWords(count: number, unit: string): string {
  if (count === 1) return `1 ${unit.replace(/^(\w+?)(ies|s)\b/, (_, stem: string, end: string) => (end === "ies" ? `${stem}y` : stem))}`;
  return `${upTo(count)} ${unit}`;
}
