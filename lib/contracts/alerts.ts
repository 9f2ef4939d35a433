import * as z from "zod/mini";
import { ALERT_CHANNEL_KINDS, ALERT_FILTERS, ALERT_RULES, ALERT_STATES } from "./alert-rules.ts";
import { filterShape, nameText, pageOf, pageQuery, text, typePatterns } from "./api/parameters.ts";
import { ownSigningSecret } from "./forwarding/target-secrets.ts";

export const alertRuleKind = z.enum(ALERT_RULES);
export type AlertRuleKind = z.infer<typeof alertRuleKind>;

export const alertRule = z.object({
  kind: alertRuleKind,
  title: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  threshold: z.nullable(z.object({ value: z.int(), usual: z.int(), least: z.int(), most: z.int(), unit: z.string() })),
  /** Types of events that it is about, `document.*` for all that begin so; empty for all, null where it is about no events. */
  types: z.nullable(z.array(z.string())),
  mutedUntil: z.nullable(z.string()),
  mutedBy: z.nullable(z.string()),
  open: z.int(),
});
export type AlertRule = z.infer<typeof alertRule>;
export const alertRuleList = pageOf(alertRule);

export const alertRuleParams = z.object({ kind: alertRuleKind });

const muteFor = z.enum(["1h", "1d", "7d", "none"]);
export type MuteFor = z.infer<typeof muteFor>;

/** Fields left out stay. `threshold` null restores the default, an empty `types` all types. */
export const changeAlertRuleBody = z.object({
  enabled: z.optional(z.boolean()),
  threshold: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400)))),
  types: z.optional(typePatterns),
  muteFor: z.optional(muteFor),
});
export type ChangeAlertRuleBody = z.infer<typeof changeAlertRuleBody>;

export const alertChannelKind = z.enum(ALERT_CHANNEL_KINDS);
export type AlertChannelKind = z.infer<typeof alertChannelKind>;

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
export const alertChannelList = z.extend(pageOf(alertChannel), { email: z.boolean() });
export type AlertChannelList = z.infer<typeof alertChannelList>;

export const createdAlertChannel = z.extend(alertChannel, { secret: z.nullable(z.string()) });
export type CreatedAlertChannel = z.infer<typeof createdAlertChannel>;

export const deletedAlertChannel = z.object({ cancelled: z.int() });

export const alertChannelTest = z.object({ arrived: z.boolean(), detail: z.string() });
export type AlertChannelTest = z.infer<typeof alertChannelTest>;

const alertState = z.enum(ALERT_STATES);

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
  /** How often the rule has alerted about its subject in the time that alerts are kept, this one included; above 1,000 capped (`1001`). */
  times: z.int(),
  /** When the first of them began. */
  firstOpenedAt: z.string(),
  /** `until` null: until it happens again. */
  snoozed: z.nullable(z.object({ until: z.nullable(z.string()), by: z.string() })),
  sends: z.array(alertSend),
});
export type Alert = z.infer<typeof alert>;

/** `grouped=true`: of each rule and subject the newest alert alone, with `times`. */
export const alertQuery = z.extend(pageQuery, filterShape(ALERT_FILTERS));
export const alertPage = pageOf(alert);

const snoozeFor = z.enum(["1h", "1d", "recurrence", "none"]);
export type SnoozeFor = z.infer<typeof snoozeFor>;
export const snoozeBody = z.object({ for: snoozeFor });
export const snoozed = z.object({ snoozed: z.nullable(z.object({ until: z.nullable(z.string()), by: z.string() })) });
export type Snoozed = z.infer<typeof snoozed>;
