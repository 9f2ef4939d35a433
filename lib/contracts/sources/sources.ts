import * as z from "zod/mini";
import { retentionDays } from "#lib/contracts/events/retention";
import { pageOf, text } from "../api/parameters.ts";
import { recordSettings } from "./record-settings.ts";
import { eventReading, givenSchemeSettings, schemeSettings } from "./scheme-settings.ts";
import { SOURCE_NAME, SOURCE_TEMPLATES, sourceRecords, sourceTemplateName, sourceTrust } from "./templates.ts";

/** A shared secret, or the sender's public key. Blanks and line ends around it are left out. */
export const givenSecret = text(1000).check(z.trim(), z.minLength(8, "must be at least 8 characters long"));

/** The secret is shown only once, when it is created. */
export const source = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  template: sourceTemplateName,
  sender: z.string(),
  /** False if no secret can be generated for it: the sender issues it, or signs with a key of its own. */
  generatesSecret: z.boolean(),
  /** True if the sender usually issues the secret. */
  issuesSecret: z.boolean(),
  trust: sourceTrust,
  /** Fields of the body that the signature covers, if it doesn't cover all of it. */
  covers: z.array(z.string()),
  records: sourceRecords,
  record: z.nullable(recordSettings),
  scheme: schemeSettings,
  reading: z.nullable(eventReading),
  archivedAt: z.nullable(z.string()),
  /** Since then verified requests are held in quarantine. */
  pausedAt: z.nullable(z.string()),
  /** Requests held, counted up to 1,001; 0 if it is not paused. */
  held: z.int(),
  /** Days, if less than the workspace's retention; null for the workspace's. */
  retentionDays: z.nullable(z.int()),
  /** True if late requests are kept and marked; null if the sender has no time limit, or does not sign the ID. */
  keepLate: z.nullable(z.boolean()),
  /** The workspace's own source can't be archived: the next start would create it again. */
  main: z.boolean(),
  secrets: z.array(z.object({ id: z.string(), createdAt: z.string(), validUntil: z.nullable(z.string()) })),
  lastEventAt: z.nullable(z.string()),
});
export type Source = z.infer<typeof source>;
export const sourceList = pageOf(source);

const settings = {
  records: z.optional(sourceRecords),
  record: z.optional(z.nullable(recordSettings)),
  scheme: z.optional(givenSchemeSettings),
  reading: z.optional(z.nullable(eventReading)),
};

/** Without a secret one is generated, if the template allows any. */
export const createSourceBody = z.strictObject({
  name: text(63).check(z.regex(SOURCE_NAME, "must be lowercase letters, digits and dashes, at most 63, such as stripe-live")),
  template: sourceTemplateName,
  secret: z.optional(givenSecret),
  ...settings,
});
export type CreateSourceBody = z.infer<typeof createSourceBody>;

/** `secret` is null if given. `proof`: a curl command with a signed event, valid for minutes; empty if only the sender can sign. */
export const createdSource = z.extend(source, {
  secret: z.nullable(z.string()),
  proof: z.string(),
  /** Token that the sender requires with the URL, as Meta does; null for other senders. */
  verifyToken: z.nullable(z.string()),
});
export type CreatedSource = z.infer<typeof createdSource>;

/**
 * Fields left out stay. `paused` quarantines verified requests (202); false releases them in the background. `template` and `secret` are
 * set once, for an unknown sender; `learning` keeps its requests, or lets its sender bring the secret, for ten more minutes. `keepLate: false` quarantines late requests.
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

/** A request as the sender would send it. Nothing is stored. */
export const checkSourceBody = z.strictObject({
  headers: z._default(z.record(text(200), text(8000)), {}),
  query: z._default(text(4000), ""),
  body: z.optional(text(1_048_576)),
  bodyBase64: z.optional(text(1_400_000)),
});
export type CheckSourceBody = z.infer<typeof checkSourceBody>;

export const sourceCheck = z.object({
  status: z.union([z.literal(200), z.literal(202), z.literal(401), z.literal(503)]),
  verdict: z.string(),
  fix: z.string(),
  event: z.nullable(z.object({ id: z.string(), type: z.string(), created: z.int() })),
});
export type SourceCheck = z.infer<typeof sourceCheck>;

export const learnSourceBody = z.strictObject({ secret: givenSecret });

/** Templates that verify the kept requests, the likeliest first. `hint`: why none does, or why several can't be told apart. */
export const sourceLearning = z.object({
  tried: z.int(),
  fits: z.array(z.object({ template: sourceTemplateName, title: z.string(), scheme: givenSchemeSettings, requests: z.int() })),
  hint: z.nullable(z.object({ verdict: z.string(), fix: z.string() })),
});
export type SourceLearning = z.infer<typeof sourceLearning>;

/** The secret that the sender brought. It is shown once. */
export const verificationToken = z.object({ token: z.string() });
