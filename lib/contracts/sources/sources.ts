import * as z from "zod/mini";
import { text } from "#lib/contracts/api/parameters";
import { retentionDays } from "#lib/contracts/events/retention";
import { SOURCE_NAME } from "#lib/contracts/sources/source-name";
import { recordSettings } from "./record-settings.ts";
import { eventReading, givenSchemeSettings, schemeSettings } from "./scheme-settings.ts";
import { SOURCE_TEMPLATES, sourceRecords, sourceTemplateName, sourceTrust } from "./templates.ts";

/** A secret as a sender issues it or a person enters it. */
export const givenSecret = text(500).check(
  z.minLength(8, "must be at least 8 characters long"),
  z.refine((secret) => secret.trim() === secret, { error: "must not start or end with whitespace" }),
);

/** `GET /api/v1/sources`: where webhooks come in. The secret itself is shown once, when it is made. */
export const source = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  template: sourceTemplateName,
  /** The template's sender, for people. */
  sender: z.string(),
  trust: sourceTrust,
  records: sourceRecords,
  /** The kind of record that `generic` makes; null for the others. */
  record: z.nullable(recordSettings),
  /** Settings of the templates `hmac`, `token` and `network`. */
  scheme: schemeSettings,
  /** Places of the events' parts; null: as the template says. */
  reading: z.nullable(eventReading),
  archivedAt: z.nullable(z.string()),
  /** Since then verified requests are held in quarantine. */
  pausedAt: z.nullable(z.string()),
  /** Number of requests held, at most 1,001; 0 where it is not paused. */
  held: z.int(),
  /** For how many days its events are kept where that is less than the workspace's; null: as long as the workspace's. */
  retentionDays: z.nullable(z.int()),
  /** True if what arrives after its time limit is kept and marked late; null where the sender has no limit, or does not sign the ID. */
  keepLate: z.nullable(z.boolean()),
  /** True of the workspace's own, which can't be archived: the next start would create it again. */
  main: z.boolean(),
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.nullable(z.string()) })),
  lastEventAt: z.nullable(z.string()),
});
export type Source = z.infer<typeof source>;
export const sourceList = z.object({ data: z.array(source), nextCursor: z.null() });

const settings = {
  records: z.optional(sourceRecords),
  record: z.optional(z.nullable(recordSettings)),
  scheme: z.optional(givenSchemeSettings),
  reading: z.optional(z.nullable(eventReading)),
};

/** `POST /api/v1/sources`. Without a secret one is generated where the template allows any. */
export const createSourceBody = z.strictObject({
  name: text(63).check(z.regex(SOURCE_NAME, "must be lowercase letters, digits and dashes, at most 63, such as stripe-live")),
  template: sourceTemplateName,
  secret: z.optional(givenSecret),
  ...settings,
});
export type CreateSourceBody = z.infer<typeof createSourceBody>;

/** `secret` is null when it was given, or when there is none. `proof`: a curl command that sends a signed event, good for minutes; empty where only the sender can sign. */
export const createdSource = z.extend(source, {
  secret: z.nullable(z.string()),
  proof: z.string(),
  /** Token that Meta requires beside the URL; null for every other sender. */
  verifyToken: z.nullable(z.string()),
});
export type CreatedSource = z.infer<typeof createdSource>;

/**
 * `PATCH /api/v1/sources/{id}`: what is left out stays. `archived: false` lets it receive again. While `paused`, verified
 * requests are held in quarantine (202); `paused: false` releases them in the background. `template` and `secret` are set
 * once, for a source whose sender was unknown; `learning` keeps its requests for another ten minutes until then. The shorter
 * of `retentionDays` and the workspace's retention applies; it needs the permission to set the workspace's. `keepLate: false`
 * quarantines what arrives after its time limit.
 */
export const changeSourceBody = z.strictObject({
  ...settings,
  archived: z.optional(z.boolean()),
  paused: z.optional(z.boolean()),
  template: z.optional(z.enum(SOURCE_TEMPLATES)),
  secret: z.optional(givenSecret),
  learning: z.optional(z.literal(true)),
  retentionDays: z.optional(z.nullable(retentionDays)),
  keepLate: z.optional(z.boolean()),
});
export type ChangeSourceBody = z.infer<typeof changeSourceBody>;

/** `POST /api/v1/sources/{id}/check`: a request as the sender would send it. Nothing is stored. */
export const checkSourceBody = z.strictObject({
  headers: z._default(z.record(text(200), text(8000)), {}),
  query: z._default(text(4000), ""),
  /** The body as text, or in base64 where it is not UTF-8. */
  body: z.optional(text(1_048_576)),
  bodyBase64: z.optional(text(1_400_000)),
});
export type CheckSourceBody = z.infer<typeof checkSourceBody>;

/** The receiver's answer, and the reason. */
export const sourceCheck = z.object({
  status: z.union([z.literal(200), z.literal(202), z.literal(401), z.literal(503)]),
  verdict: z.string(),
  fix: z.string(),
  event: z.nullable(z.object({ id: z.string(), type: z.string(), created: z.int() })),
});
export type SourceCheck = z.infer<typeof sourceCheck>;

/** `POST /api/v1/sources/{id}/learn`: the secret of a sender that is unknown yet. Nothing is stored. */
export const learnSourceBody = z.strictObject({ secret: givenSecret });

/** Which templates the requests that were kept verify by, the likeliest first. */
export const sourceLearning = z.object({
  /** Number of requests tried, at most 20. */
  tried: z.int(),
  fits: z.array(z.object({ template: sourceTemplateName, title: z.string(), scheme: givenSchemeSettings, requests: z.int() })),
  /** Reason why nothing fits, and its fix; null where something fits. */
  hint: z.nullable(z.object({ verdict: z.string(), fix: z.string() })),
});
export type SourceLearning = z.infer<typeof sourceLearning>;
