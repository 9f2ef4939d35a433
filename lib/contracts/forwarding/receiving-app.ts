import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

/** The sandbox's receiving app: an application that events are handed on to, and that misbehaves on request. */

/** ok: 200. fail_every: each n-th fails. status: every one fails. gone: 410. redirect: 302 to another URL. */
export const receiverAnswer = z.enum(["ok", "fail_every", "status", "gone", "redirect"]);
export type ReceiverAnswer = z.infer<typeof receiverAnswer>;

/** `PUT /sandbox/api/receiving-app`: how it answers. `delayMs`: how long it waits first. */
export const receiverBehaviour = z.object({
  answer: receiverAnswer,
  /** Of `fail_every`: which one fails. */
  every: z._default(z.int().check(z.minimum(2), z.maximum(100)), 3),
  /** Status that `fail_every` and `status` answer. */
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
  /** Status that it answered. */
  status: z.int(),
  /** The same event was accepted before. */
  seenBefore: z.boolean(),
  headers: z.record(z.string(), z.string()),
  /** Its first 16,384 characters. */
  body: z.string(),
});
export type ReceivedRequest = z.infer<typeof receivedRequest>;

/** `GET /sandbox/api/receiving-app`: its URL, how it answers, and the newest 100 of what it was sent. */
export const receivingApp = z.object({
  /** Null until something was set of it. */
  url: z.nullable(z.string()),
  behaviour: receiverBehaviour,
  /** Since it was made. */
  requests: z.int(),
  received: z.array(receivedRequest),
});
export type ReceivingApp = z.infer<typeof receivingApp>;

/** `PUT /sandbox/api/receiving-app/secret`: one more that it verifies with; the newest 5 are kept. */
export const receiverSecretBody = z.object({
  secret: text(200).check(z.regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, "Paste a secret that begins with whsec_")),
});
export const receiverSecretSaved = z.object({ saved: z.literal(true) });
