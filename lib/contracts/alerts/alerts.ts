import * as z from "zod/mini";
import { filterShape } from "../api/filter-schema.ts";
import type { FilterOf, Filters } from "../api/filters.ts";
import { pageOf, pageQuery } from "../api/paging.ts";
import { alertChannelKind } from "./channels.ts";
import { ALERT_RULES, alertRuleKind, RULE_WORDS } from "./rules.ts";

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

/** A new filter is an entry here and its SQL in lib/alerts/alert-list-store.ts. */
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
