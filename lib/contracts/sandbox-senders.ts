import * as z from "zod/mini";
import { text } from "./api/parameters.ts";

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
