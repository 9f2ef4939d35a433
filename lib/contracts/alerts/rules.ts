import * as z from "zod/mini";

/** Subjects of alerts, in the order of the page. */
export const ALERT_RULES = [
  "issue",
  "destination",
  "connection",
  "source_silent",
  "rejected_requests",
  "processing_lag",
  "no_worker",
  "vault_key",
  "backup_late",
  "backup_proof",
] as const;
export const alertRuleKind = z.enum(ALERT_RULES);
export type AlertRuleKind = z.infer<typeof alertRuleKind>;

type Threshold = { usual: number; least: number; most: number; unit: string };

/** Each rule in words, and the threshold of those that have one. */
export const RULE_WORDS: Record<AlertRuleKind, { title: string; description: string; threshold?: Threshold }> = {
  issue: { title: "Issue opened or recurred", description: "A new failure, or a resolved one that happened again." },
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

/** A rule as it stands in a workspace. Times are ISO 8601 UTC. */
export const alertRule = z.object({
  kind: alertRuleKind,
  title: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  /** Null for rules without one. */
  threshold: z.nullable(z.object({ value: z.int(), usual: z.int(), least: z.int(), most: z.int(), unit: z.string() })),
  /** No notification until then; null when it is not muted. */
  mutedUntil: z.nullable(z.string()),
  mutedBy: z.nullable(z.string()),
  /** Alerts of this rule that are open now. */
  open: z.int(),
});
export type AlertRule = z.infer<typeof alertRule>;
export const alertRuleList = z.object({ data: z.array(alertRule), nextCursor: z.null() });

/** `{kind}` of a path. */
export const alertRuleParams = z.object({ kind: alertRuleKind });

/** Times that a rule can be muted for; `none` ends it. */
const muteFor = z.enum(["1h", "1d", "7d", "none"]);
export type MuteFor = z.infer<typeof muteFor>;

/** `PATCH /api/v1/alert-rules/{kind}`: what is left out stays as it is. `threshold` null: the usual one. */
export const changeAlertRuleBody = z.object({
  enabled: z.optional(z.boolean()),
  threshold: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(86_400)))),
  muteFor: z.optional(muteFor),
});
export type ChangeAlertRuleBody = z.infer<typeof changeAlertRuleBody>;
