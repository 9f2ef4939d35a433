import * as z from "zod/mini";

/** The senders that a source can be made for. What each signs and sends: lib/platform/schemes/templates.ts. */
export const SOURCE_TEMPLATES = [
  "platform",
  "standard-webhooks",
  "svix",
  "stripe",
  "github",
  "gitlab",
  "gitlab-token",
  "shopify",
  "slack",
  "linear",
  "twilio",
  "square",
  "zoom",
  "meta",
  "x",
  "microsoft-graph",
  "dropbox",
  "sns",
  "hmac",
  "token",
  "basic",
  "network",
] as const;
export type KnownTemplate = (typeof SOURCE_TEMPLATES)[number];

/** `unknown`: nobody knows yet how the sender signs; a template is found and set later. */
export const sourceTemplateName = z.enum([...SOURCE_TEMPLATES, "unknown"]);
export type SourceTemplateName = z.infer<typeof sourceTemplateName>;

/** Senders that issue the secret themselves: none can be generated here. */
export const SENDER_ISSUES: ReadonlySet<SourceTemplateName> = new Set([
  "stripe",
  "gitlab",
  "shopify",
  "slack",
  "linear",
  "twilio",
  "square",
  "zoom",
  "meta",
  "x",
  "dropbox",
  "basic",
]);

/**
 * What the events of a source become: the platform's documents, tasks, pipelines, automations and integrations, records
 * of a kind that a setting of the source describes, or nothing beside the log.
 */
export const sourceRecords = z.enum(["platform", "generic", "none"]);
export type SourceRecords = z.infer<typeof sourceRecords>;

/** What a request that verified proves: its bytes, that the sender knows a secret, or where it came from. */
export const sourceTrust = z.enum(["signed", "token", "network"]);
export type SourceTrust = z.infer<typeof sourceTrust>;

/** `GET /api/v1/source-templates`. */
export const sourceTemplate = z.object({
  name: sourceTemplateName,
  title: z.string(),
  trust: sourceTrust,
  records: sourceRecords,
  /** The headers that it reads. */
  headers: z.array(z.string()),
  /** True where a source without a secret rejects every request. */
  needsSecret: z.boolean(),
  /** Where the secret stands at that sender, in words. */
  secretHint: z.string(),
  /** True where any secret will do, so that one is generated when none is given. */
  generatesSecret: z.boolean(),
  /** What the sender does when a request is not answered with 2xx, in words. */
  retries: z.string(),
  /** Where the sender documents its webhooks; null for what is no one's. */
  docsUrl: z.nullable(z.string()),
});
export type SourceTemplate = z.infer<typeof sourceTemplate>;
export const sourceTemplateList = z.object({ data: z.array(sourceTemplate), nextCursor: z.null() });
