import * as z from "zod/mini";
import { pageOf } from "#lib/contracts/api/parameters";
import { recordSettings } from "./record-settings.ts";
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
  "docusign",
  "pandadoc",
  "dropbox-sign",
  "acrobat-sign",
  "box",
  "signnow",
  "signwell",
  "boldsign",
  "yousign",
  "zoho-sign",
  "signable",
  "documenso",
  "docuseal",
  "formstack",
  "jotform",
  "typeform",
  "tally",
  "rossum",
  "mindee",
  "nanonets",
  "parseur",
  "docparser",
  "paperless-ngx",
  "google-drive",
  "notion",
  "airtable",
  "xero",
  "quickbooks",
  "hubspot",
  "hubspot-v1",
  "zendesk",
  "paddle",
  "workos",
  "calendly",
  "alertmanager",
  "grafana",
  "pagerduty",
  "cloudevents",
  "rootly",
  "trello",
  "asana",
  "okta",
  "event-grid",
  "monday",
  "zoho-payments",
  "buildkite",
  "sentry",
  "jira",
  "clickup",
  "intercom",
  "lemon-squeezy",
  "bitbucket",
  "marketing-cloud",
  "postmark",
  "telegram",
  "zapier",
  "make",
  "n8n",
  "opsgenie",
  "mailgun",
  "sendgrid",
  "discord",
  "plaid",
  "kinde",
  "salesforce",
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

/** The platform's records; documents of another platform; records of a kind that the source's settings describe; or none. */
export const sourceRecords = z.enum(["platform", "documents", "generic", "none"]);
export type SourceRecords = z.infer<typeof sourceRecords>;

/** `partly`: the signature covers only some fields of the body. */
export const sourceTrust = z.enum(["signed", "partly", "token", "network"]);
export type SourceTrust = z.infer<typeof sourceTrust>;

/** What a template was checked against: bytes that the sender made, a verifier of its own, the source of what sends, or its documentation alone. */
export const senderProof = z.enum(["bytes", "verifier", "source", "documentation"]);
export type SenderProof = z.infer<typeof senderProof>;

export const sourceTemplate = z.object({
  name: sourceTemplateName,
  title: z.string(),
  trust: sourceTrust,
  /** Fields of the body that the signature covers, if it doesn't cover all of it. */
  covers: z.array(z.string()),
  records: sourceRecords,
  /** What its events become, unless the source says something else. */
  record: z.nullable(recordSettings),
  reading: z.nullable(eventReading),
  headers: z.array(z.string()),
  needsSecret: z.boolean(),
  secretHint: z.string(),
  generatesSecret: z.boolean(),
  /** A request of the sender's brings the secret, or comes before anyone knows it: the source may be added without. */
  bringsSecret: z.boolean(),
  retries: z.string(),
  /** Hours for which it tries again; 0: never; null if it doesn't say. */
  retryHours: z.nullable(z.number()),
  /** Seconds within which it wants its answer; null if it doesn't say. */
  answerWithin: z.nullable(z.number()),
  /** Settings of `scheme` that a source must or may have. */
  takes: z.nullable(z.string()),
  docsUrl: z.nullable(z.string()),
  proof: z.nullable(senderProof),
  /** Where its facts are from. */
  facts: z.array(z.string()),
  /** What could not be checked against anything that the sender made. */
  unchecked: z.array(z.string()),
});
export type SourceTemplate = z.infer<typeof sourceTemplate>;
export const sourceTemplateList = pageOf(sourceTemplate);
