import * as z from "zod/mini";

/** How the sandbox platform misbehaves on request. */
export const sandboxFault = z.enum([
  "wrong_signature",
  "stale_signature",
  "no_signature",
  "duplicate",
  "malformed",
  "unknown_type",
  "missing_ids",
  "delay",
  "disorder",
  "burst",
]);
export type SandboxFault = z.infer<typeof sandboxFault>;

/** `POST /sandbox/api/events`. `id` and `created` are made when they are left out. */
export const sandboxEventBody = z.object({
  type: z.string().check(z.minLength(1), z.maxLength(200)),
  id: z.optional(z.string()),
  created: z.optional(z.int()),
  data: z.optional(z.record(z.string(), z.unknown())),
  fault: z.nullish(sandboxFault),
});
export type SandboxEventBody = z.infer<typeof sandboxEventBody>;

export const sandboxDelivery = z.object({
  id: z.string(),
  eventId: z.string(),
  type: z.string(),
  fault: z.nullable(z.string()),
  story: z.nullable(z.string()),
  state: z.enum(["waiting", "delivered", "given_up"]),
  attempts: z.int(),
  lastStatus: z.nullable(z.int()),
  lastAnswer: z.nullable(z.string()),
  createdAt: z.string(),
  /** When it is sent next; null once it is settled. */
  dueAt: z.nullable(z.string()),
});
export type SandboxDelivery = z.infer<typeof sandboxDelivery>;
export const sandboxDeliveryList = z.object({ data: z.array(sandboxDelivery), nextCursor: z.null() });
export const sandboxSent = z.object({ queued: z.int(), eventIds: z.array(z.string()) });
export type SandboxSent = z.infer<typeof sandboxSent>;

export const sandboxStory = z.enum(["document_to_done", "document_fails", "automation_run", "automation_fails", "integration_life"]);
export type SandboxStory = z.infer<typeof sandboxStory>;

/** Stories in which an event never comes, and those that bring it after all. */
export const missingStory = z.enum([
  "task_never_created",
  "upload_never_came",
  "run_never_ends",
  "stage_never_entered",
  "disconnected_yet_working",
  "source_falls_silent",
]);
export type MissingStory = z.infer<typeof missingStory>;
export const lateStory = z.enum([
  "task_created_late",
  "upload_came_late",
  "run_ends_late",
  "stage_entered_late",
  "connected_again",
  "source_speaks_again",
]);
export type LateStory = z.infer<typeof lateStory>;

/**
 * `POST /sandbox/api/stories`. `pace` is the pause between two events, in
 * milliseconds; `shuffled` sends them in any order but their own. A story in
 * which something never comes is sent at once.
 */
export const sandboxStoryBody = z.object({
  story: z._default(z.enum([...sandboxStory.options, ...missingStory.options, ...lateStory.options]), "document_to_done"),
  pace: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 700),
  shuffled: z._default(z.boolean(), false),
});
export type SandboxStoryBody = z.infer<typeof sandboxStoryBody>;

/** `POST /sandbox/api/revocations`: how many grants the platform took back. */
export const sandboxRevoked = z.object({ revoked: z.int() });

/** `PUT /sandbox/api/secret`: what the platform signs with from now on. */
export const sandboxSecretBody = z.object({ secret: z.string().check(z.minLength(8), z.maxLength(500)) });
export const sandboxSecretSaved = z.object({ saved: z.literal(true) });

/**
 * `POST /sandbox/api/busy-days`: the events of so many documents, created over
 * so many days up to now. The same seed tells the same days.
 */
export const sandboxBusyDaysBody = z.object({
  documents: z._default(z.int().check(z.minimum(1), z.maximum(5000)), 200),
  days: z._default(z.int().check(z.minimum(0), z.maximum(60)), 14),
  seed: z.optional(z.int().check(z.minimum(0), z.maximum(4_294_967_295))),
});
export type SandboxBusyDaysBody = z.infer<typeof sandboxBusyDaysBody>;
export const sandboxBusyDays = z.object({ queued: z.int(), seed: z.int() });
export type SandboxBusyDays = z.infer<typeof sandboxBusyDays>;
