import * as z from "zod/mini";
import { nameText, text } from "../api/parameters.ts";
import { ownSigningSecret } from "../forwarding/signing-secret.ts";
import { alertRuleKind } from "./rules.ts";

/** Kinds of alert channels. webhook: signed as by Standard Webhooks. */
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
/** Rules whose alerts the channel gets; empty for all. */
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

/** `POST /api/v1/alert-channels`. A chat's URL and a routing key are secrets: they are never shown again. */
export const createAlertChannelBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("email"), ...common, recipients }),
  chat("slack"),
  chat("teams"),
  chat("discord"),
  /** `url`: of the Events API; the US one unless given. */
  z.object({ kind: z.literal("pagerduty"), ...common, routingKey, url: z.optional(url) }),
  z.object({ kind: z.literal("webhook"), ...common, url }),
]);
export type CreateAlertChannelBody = z.infer<typeof createAlertChannelBody>;

/**
 * `PATCH /api/v1/alert-channels/{id}`: what is left out stays as it is. A URL of another host needs `routingKey` (PagerDuty)
 * or `secret` (signed webhook) in the same request.
 */
export const changeAlertChannelBody = z.object({
  name: z.optional(name),
  rules: z.optional(rules),
  recipients: z.optional(recipients),
  url: z.optional(url),
  routingKey: z.optional(routingKey),
  secret: z.optional(ownSigningSecret),
});
export type ChangeAlertChannelBody = z.infer<typeof changeAlertChannelBody>;

/** A channel. Times are ISO 8601 UTC. */
export const alertChannel = z.object({
  id: z.string(),
  name: z.string(),
  kind: alertChannelKind,
  rules: z.array(alertRuleKind),
  recipients: z.array(z.string()),
  /** Its target, without a secret: addresses, a URL, or the host of a URL that is secret. */
  target: z.string(),
  /** Since when messages don't arrive; null while they do. */
  failingSince: z.nullable(z.string()),
  lastSentAt: z.nullable(z.string()),
  lastFailure: z.nullable(z.object({ at: z.string(), detail: z.string() })),
  createdBy: z.nullable(z.string()),
  createdAt: z.string(),
});
export type AlertChannel = z.infer<typeof alertChannel>;
/** `email`: whether SMTP_URL and MAIL_FROM are set. */
export const alertChannelList = z.object({ data: z.array(alertChannel), nextCursor: z.null(), email: z.boolean() });
export type AlertChannelList = z.infer<typeof alertChannelList>;

/** The signing secret of a webhook is shown once; null for other kinds. */
export const createdAlertChannel = z.extend(alertChannel, { secret: z.nullable(z.string()) });
export type CreatedAlertChannel = z.infer<typeof createdAlertChannel>;

/** `DELETE /api/v1/alert-channels/{id}`: how many messages were cancelled with it. */
export const deletedAlertChannel = z.object({ cancelled: z.int() });

/** `POST /api/v1/alert-channels/{id}/test`: what came of the message. */
export const alertChannelTest = z.object({ arrived: z.boolean(), detail: z.string() });
export type AlertChannelTest = z.infer<typeof alertChannelTest>;
