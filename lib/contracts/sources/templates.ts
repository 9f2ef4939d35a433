import * as z from "zod/mini";
import { eventReading } from "./scheme-settings.ts";

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
 * Records made of a source's events: the platform's documents, tasks, pipelines, automations and integrations, records
 * of a kind that a setting of the source describes, or none.
 */
export const sourceRecords = z.enum(["platform", "generic", "none"]);
export type SourceRecords = z.infer<typeof sourceRecords>;

/** Proof that a verified request gives: its bytes, that the sender knows a secret, or its network. */
export const sourceTrust = z.enum(["signed", "token", "network"]);
export type SourceTrust = z.infer<typeof sourceTrust>;

/** `GET /api/v1/source-templates`. */
export const sourceTemplate = z.object({
  name: sourceTemplateName,
  title: z.string(),
  trust: sourceTrust,
  records: sourceRecords,
  /** Places of its events' parts; null for the platform's envelope. */
  reading: z.nullable(eventReading),
  /** The headers that it reads. */
  headers: z.array(z.string()),
  /** True where a source without a secret rejects every request. */
  needsSecret: z.boolean(),
  /** Place of the secret at that sender, in words. */
  secretHint: z.string(),
  /** True where any secret will do, so that one is generated when none is given. */
  generatesSecret: z.boolean(),
  /** The sender's behaviour when a request is not answered with 2xx, in words. */
  retries: z.string(),
  /** URL of the sender's documentation of its webhooks; null for a template that is of no one sender. */
  docsUrl: z.nullable(z.string()),
});
export type SourceTemplate = z.infer<typeof sourceTemplate>;
export const sourceTemplateList = z.object({ data: z.array(sourceTemplate), nextCursor: z.null() });
