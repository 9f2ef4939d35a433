import * as z from "zod/mini";
import type { FilterOf, Filters } from "./api/filters.ts";
import { filterShape, nameText, pageOf, pageQuery, text } from "./api/parameters.ts";
import { upTo } from "./format-count.ts";
import { ownSigningSecret } from "./forwarding/target-secrets.ts";

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
export const alertRuleKind = z.enum(ALERT_RULES);
export type AlertRuleKind = z.infer<typeof alertRuleKind>;

type Threshold = { usual: number; least: number; most: number; unit: string };

export const RULE_WORDS: Record<AlertRuleKind, { title: string; description: string; threshold?: Threshold }> = {
  issue: { title: "Issue opened or recurred", description: "A new failure, or a resolved one that happened again." },
  schema_drift: {
    title: "Schema drift",
    description: "The events of a type are not what they always were: a field vanished, has another type or is null, or a value is new.",
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

export const alertRule = z.object({
  kind: alertRuleKind,
  title: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  threshold: z.nullable(z.object({ value: z.int(), usual: z.int(), least: z.int(), most: z.int(), unit: z.string() })),
  mutedUntil: z.nullable(z.string()),
  mutedBy: z.nullable(z.string()),
  open: z.int(),
});
export type AlertRule = z.infer<typeof alertRule>;
export const alertRuleList = z.object({ data: z.array(alertRule), nextCursor: z.null() });

export const alertRuleParams = z.object({ kind: alertRuleKind });

const muteFor = z.enum(["1h", "1d", "7d", "none"]);
export type MuteFor = z.infer<typeof muteFor>;

/** Fields left out stay. `threshold` null restores the default. */
export const changeAlertRuleBody = z.object({
  enabled: z.optional(z.boolean()),
  threshold: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400)))),
  muteFor: z.optional(muteFor),
});
export type ChangeAlertRuleBody = z.infer<typeof changeAlertRuleBody>;

export const alertChannelKind = z.enum(["email", "slack", "teams", "discord", "pagerduty", "webhook"]);
export type AlertChannelKind = z.infer<typeof alertChannelKind>;

export const CHANNEL_LABELS: Record<AlertChannelKind, string> = {
  email: "Email",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  pagerduty: "PagerDuty",
  webhook: "Signed webhook",
};

const name = nameText(80, "Enter a name");
const rules = z.array(alertRuleKind).check(z.maxLength(20));
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const DOMAIN = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u;

/** Returns why an address can't be written to; null if it can: also one at a host (root@mailhost) or at an international domain. */
function recipientProblem(address: string): string | null {
  if (/["\s]/.test(address)) return "Addresses with quotation marks or blanks can't be used: mail servers read them in different ways";
  const [, local = "", domain = ""] = /^([^@]+)@([^@]+)$/.exec(address) ?? [];
  if (local === "") return "Enter email addresses, for example ops@example.com";
  if (!LOCAL_PART.test(local))
    return `Use only a to z, digits and common signs before the @, not “${local}”: many mail servers accept no others`;
  return DOMAIN.test(domain) ? null : `“${domain}” is neither a domain nor a host name`;
}

const recipient = text(254).check((context) => {
  const message = recipientProblem(context.value);
  if (message) context.issues.push({ code: "custom", message, input: context.value });
});
const recipients = z.array(recipient).check(z.minLength(1, "Enter at least one address"), z.maxLength(20, "At most 20 addresses"));
const url = text(2000).check(z.minLength(1, "Enter a URL"));
const routingKey = text(200).check(
  z.trim(),
  z.regex(/^[A-Za-z0-9_-]{16,200}$/, "Enter the integration key of an Events API v2 integration"),
);

const common = { name, rules: z._default(rules, []) };
const chat = <K extends "slack" | "teams" | "discord">(kind: K) => z.object({ kind: z.literal(kind), ...common, url });

/** A chat's URL and a routing key are secrets: they are never shown again. */
export const createAlertChannelBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("email"), ...common, recipients }),
  chat("slack"),
  chat("teams"),
  chat("discord"),
  z.object({ kind: z.literal("pagerduty"), ...common, routingKey, url: z.optional(url) }),
  z.object({ kind: z.literal("webhook"), ...common, url }),
]);
export type CreateAlertChannelBody = z.infer<typeof createAlertChannelBody>;

/** Fields left out stay. A URL of another host needs `routingKey` (PagerDuty) or `secret` (signed webhook) in the same request. */
export const changeAlertChannelBody = z.object({
  name: z.optional(name),
  rules: z.optional(rules),
  recipients: z.optional(recipients),
  url: z.optional(url),
  routingKey: z.optional(routingKey),
  secret: z.optional(ownSigningSecret),
});
export type ChangeAlertChannelBody = z.infer<typeof changeAlertChannelBody>;

export const alertChannel = z.object({
  id: z.string(),
  name: z.string(),
  kind: alertChannelKind,
  rules: z.array(alertRuleKind),
  recipients: z.array(z.string()),
  /** Target without a secret: addresses, a URL, or the host of a secret URL. */
  target: z.string(),
  failingSince: z.nullable(z.string()),
  lastSentAt: z.nullable(z.string()),
  lastFailure: z.nullable(z.object({ at: z.string(), detail: z.string() })),
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type AlertChannel = z.infer<typeof alertChannel>;
/** `email`: true if SMTP_URL and MAIL_FROM are set. */
export const alertChannelList = z.object({ data: z.array(alertChannel), nextCursor: z.null(), email: z.boolean() });
export type AlertChannelList = z.infer<typeof alertChannelList>;

export const createdAlertChannel = z.extend(alertChannel, { secret: z.nullable(z.string()) });
export type CreatedAlertChannel = z.infer<typeof createdAlertChannel>;

export const deletedAlertChannel = z.object({ cancelled: z.int() });

export const alertChannelTest = z.object({ arrived: z.boolean(), detail: z.string() });
export type AlertChannelTest = z.infer<typeof alertChannelTest>;

const STATES = ["open", "closed"] as const;
const alertState = z.enum(STATES);

export const alertNotificationKind = z.enum(["opened", "reminder", "recovered"]);
export type AlertNotificationKind = z.infer<typeof alertNotificationKind>;

/** pending: waits for others to share a message, or for its next attempt. failed: given up. cancelled: its channel was deleted. */
export const alertSendState = z.enum(["pending", "sent", "failed", "cancelled"]);
export type AlertSendState = z.infer<typeof alertSendState>;

const alertSend = z.object({
  notification: alertNotificationKind,
  channelId: z.string(),
  channelName: z.string(),
  channelKind: alertChannelKind,
  state: alertSendState,
  attempts: z.int(),
  outcome: z.nullable(z.string()),
  /** When it arrived or was given up; otherwise when it is due. */
  at: z.string(),
});
export type AlertSend = z.infer<typeof alertSend>;

export const alert = z.object({
  id: z.string(),
  rule: alertRuleKind,
  /** ID of its subject, or `installation`. */
  subject: z.string(),
  state: alertState,
  title: z.string(),
  detail: z.string(),
  count: z.nullable(z.int()),
  unit: z.nullable(z.string()),
  url: z.string(),
  openedAt: z.string(),
  closedAt: z.nullable(z.string()),
  /** `until` null: until it happens again. */
  snoozed: z.nullable(z.object({ until: z.nullable(z.string()), by: z.string() })),
  sends: z.array(alertSend),
});
export type Alert = z.infer<typeof alert>;

/** A new filter is an entry here and its SQL in lib/alerts/alert-store.ts. */
export const ALERT_FILTERS = {
  state: {
    value: { kind: "choice", values: STATES },
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
} as const satisfies Filters;
export type AlertFilter = FilterOf<typeof ALERT_FILTERS>;

export const alertQuery = z.extend(pageQuery, filterShape(ALERT_FILTERS));
export const alertPage = pageOf(alert);

const snoozeFor = z.enum(["1h", "1d", "recurrence", "none"]);
export type SnoozeFor = z.infer<typeof snoozeFor>;
export const snoozeBody = z.object({ for: snoozeFor });
export const snoozed = z.object({ snoozed: z.nullable(z.object({ until: z.nullable(z.string()), by: z.string() })) });
export type Snoozed = z.infer<typeof snoozed>;

/** Returns a count that is capped at 1,001 in words: `1 delivery held`, `14 deliveries held`, `more than 1,000 failures`. */
export function amountWords(count: number, unit: string): string {
  if (count === 1) return `1 ${unit.replace(/^(\w+?)(ies|s)\b/, (_, stem: string, end: string) => (end === "ies" ? `${stem}y` : stem))}`;
  return `${upTo(count)} ${unit}`;
}
