import * as z from "zod/mini";
import { eventReading } from "./scheme-settings.ts";

export const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** True for a valid name: any other is unknown without a look-up. */
export const isSourceName = (name: string): boolean => SOURCE_NAME.test(name);

/** How each signs and what it sends: lib/platform/schemes/templates.ts. */
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
  "jwt",
  "token",
  "basic",
  "network",
] as const;
export type KnownTemplate = (typeof SOURCE_TEMPLATES)[number];

/** `unknown`: a template is found and set later. */
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

/** The platform's records, records of a kind that the source's settings describe, or none. */
export const sourceRecords = z.enum(["platform", "generic", "none"]);
export type SourceRecords = z.infer<typeof sourceRecords>;

/** `partly`: the signature covers only some fields of the body. */
export const sourceTrust = z.enum(["signed", "partly", "token", "network"]);
export type SourceTrust = z.infer<typeof sourceTrust>;

export const sourceTemplate = z.object({
  name: sourceTemplateName,
  title: z.string(),
  trust: sourceTrust,
  /** Fields of the body that the signature covers, if it doesn't cover all of it. */
  covers: z.array(z.string()),
  records: sourceRecords,
  reading: z.nullable(eventReading),
  headers: z.array(z.string()),
  needsSecret: z.boolean(),
  secretHint: z.string(),
  generatesSecret: z.boolean(),
  retries: z.string(),
  docsUrl: z.nullable(z.string()),
});
export type SourceTemplate = z.infer<typeof sourceTemplate>;
export const sourceTemplateList = z.object({ data: z.array(sourceTemplate), nextCursor: z.null() });
