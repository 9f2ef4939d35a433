import * as z from "zod/mini";
import { nameText, text } from "../api/parameters.ts";
import { ownSigningSecret } from "../forwarding/signing-secret.ts";
import { alertRuleKind } from "./rules.ts";

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
const recipients = z
  .array(z.email("Enter email addresses, for example ops@example.com").check(z.maxLength(254)))
  .check(z.minLength(1, "Enter at least one address"), z.maxLength(20, "At most 20 addresses"));
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
