import * as z from "zod/mini";
import { pageOf, text } from "./api/parameters.ts";

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

export const sandboxEventBody = z.object({
  type: text(200).check(z.minLength(1)),
  id: z.optional(text(1000)),
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
  scenario: z.nullable(z.string()),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.int(),
  lastStatus: z.nullable(z.int()),
  lastAnswer: z.nullable(z.string()),
  createdAt: z.string(),
  dueAt: z.nullable(z.string()),
});
export type SandboxDelivery = z.infer<typeof sandboxDelivery>;
export const sandboxDeliveryList = pageOf(sandboxDelivery);
export const sandboxSent = z.object({ queued: z.int(), eventIds: z.array(z.string()) });
export type SandboxSent = z.infer<typeof sandboxSent>;

export const sandboxScenario = z.enum([
  "document_to_done",
  "document_fails",
  "automation_run",
  "automation_fails",
  "integration_lifecycle",
]);
export type SandboxScenario = z.infer<typeof sandboxScenario>;

export const missingScenario = z.enum([
  "task_never_created",
  "upload_never_received",
  "run_never_ends",
  "stage_never_entered",
  "disconnected_yet_working",
  "source_stops_sending",
]);
export type MissingScenario = z.infer<typeof missingScenario>;
export const lateScenario = z.enum([
  "task_created_late",
  "upload_received_late",
  "run_ends_late",
  "stage_entered_late",
  "reconnected_late",
  "source_resumes_sending",
]);
export type LateScenario = z.infer<typeof lateScenario>;

/** `pace`: milliseconds between two events. `shuffled`: in any order but their own. A scenario that drops an event is sent all at once. */
export const sandboxScenarioBody = z.object({
  scenario: z._default(z.enum([...sandboxScenario.options, ...missingScenario.options, ...lateScenario.options]), "document_to_done"),
  pace: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 700),
  shuffled: z._default(z.boolean(), false),
});
export type SandboxScenarioBody = z.infer<typeof sandboxScenarioBody>;

export const sandboxRevoked = z.object({ revoked: z.int() });

export const sandboxSecretBody = z.object({ secret: text(500).check(z.minLength(8)) });
export const sandboxSecretSaved = z.object({ saved: z.literal(true) });

/** Events of `documents` documents, created over the last `days` days. The same seed gives the same events. */
export const sandboxTrafficBody = z.object({
  documents: z._default(z.int().check(z.minimum(1), z.maximum(5000)), 200),
  days: z._default(z.int().check(z.minimum(0), z.maximum(60)), 14),
  seed: z.optional(z.int().check(z.minimum(0), z.maximum(4_294_967_295))),
});
export type SandboxTrafficBody = z.infer<typeof sandboxTrafficBody>;
export const sandboxTraffic = z.object({ queued: z.int(), seed: z.int() });
export type SandboxTraffic = z.infer<typeof sandboxTraffic>;

export const senderFault = z.enum([
  "wrong_signature",
  "retired_secret",
  "no_signature",
  "clock_off",
  "re_encoded",
  "wrong_url",
  "malformed",
  "duplicate",
]);
export type SenderFault = z.infer<typeof senderFault>;

/** Sends an event to one of the workspace's sources as its sender would. Nothing is kept. */
export const senderEventBody = z.object({
  source: text(63).check(z.minLength(1)),
  secret: z._default(text(500), ""),
  retiredSecret: z.optional(text(500)),
  body: z.optional(text(50_000)),
  fault: z.nullish(senderFault),
});
export type SenderEventBody = z.infer<typeof senderEventBody>;

export const senderEventSent = z.object({
  requests: z.array(z.object({ status: z.nullable(z.int()), answer: z.string() })),
});
export type SenderEventSent = z.infer<typeof senderEventSent>;

// An application of the sandbox that events are sent to, and that misbehaves on request.

/** ok: 200. fail_every: each n-th fails. status: every one fails. gone: 410. redirect: 302 to another URL. */
export const receiverAnswer = z.enum(["ok", "fail_every", "status", "gone", "redirect"]);
export type ReceiverAnswer = z.infer<typeof receiverAnswer>;

export const receiverBehaviour = z.object({
  answer: receiverAnswer,
  every: z._default(z.int().check(z.minimum(2), z.maximum(100)), 3),
  status: z._default(z.int().check(z.minimum(400), z.maximum(599)), 500),
  delayMs: z._default(z.int().check(z.minimum(0), z.maximum(30_000)), 0),
});
export type ReceiverBehaviour = z.infer<typeof receiverBehaviour>;

/** verified: by Standard Webhooks, or the platform's own scheme in pass-through mode. */
const receivedSignature = z.enum(["verified", "wrong", "missing"]);
export type ReceivedSignature = z.infer<typeof receivedSignature>;

const receivedRequest = z.object({
  id: z.string(),
  at: z.string(),
  eventId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  deliveryId: z.nullable(z.string()),
  attempt: z.nullable(z.int()),
  signature: receivedSignature,
  status: z.int(),
  seenBefore: z.boolean(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type ReceivedRequest = z.infer<typeof receivedRequest>;

export const receivingApp = z.object({
  url: z.nullable(z.string()),
  behaviour: receiverBehaviour,
  requests: z.int(),
  received: z.array(receivedRequest),
});
export type ReceivingApp = z.infer<typeof receivingApp>;

/** Adds a secret that it verifies with; the newest 5 are kept. */
export const receiverSecretBody = z.object({
  secret: text(200).check(z.regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, "Paste a secret that begins with whsec_")),
});
export const receiverSecretSaved = z.object({ saved: z.literal(true) });
