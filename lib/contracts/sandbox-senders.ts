import * as z from "zod/mini";
import { text } from "./api/parameters.ts";

/** Faults that the sandbox can simulate as another sender. */
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

/** `POST /sandbox/api/sender-events`: an event to one of the workspace's sources, as its sender would send it. Nothing of it is kept. */
export const senderEventBody = z.object({
  /** The name of a source. */
  source: text(63).check(z.minLength(1)),
  /** Secret that the source's sender signs with; empty for one that has no secret. */
  secret: z._default(text(500), ""),
  /** Secret that it signed with before, for the fault `retired_secret`. */
  retiredSecret: z.optional(text(500)),
  /** Left out: an example event of the sender. */
  body: z.optional(text(50_000)),
  fault: z.nullish(senderFault),
});
export type SenderEventBody = z.infer<typeof senderEventBody>;

/** The requests sent, each with its answer; `status` is null when there was no answer. */
export const senderEventSent = z.object({
  requests: z.array(z.object({ status: z.nullable(z.int()), answer: z.string() })),
});
export type SenderEventSent = z.infer<typeof senderEventSent>;
