import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

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
export const receivedSignature = z.enum(["verified", "wrong", "missing"]);
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
