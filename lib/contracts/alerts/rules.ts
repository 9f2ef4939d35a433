import * as z from "zod/mini";

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
