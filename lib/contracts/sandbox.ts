import { z } from "zod";

/** How the sandbox platform misbehaves on request. */
export const sandboxFault = z.enum([
  "wrong_signature",
  "no_signature",
  "duplicate",
  "malformed",
  "unknown_type",
  "missing_ids",
  "delay",
  "burst",
]);
export type SandboxFault = z.infer<typeof sandboxFault>;

/** `POST /sandbox/api/events`. `id` and `created` are made when they are left out. */
export const sandboxEventBody = z.object({
  type: z.string().min(1).max(200),
  id: z.string().optional(),
  created: z.number().int().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  fault: sandboxFault.nullish(),
});
export type SandboxEventBody = z.infer<typeof sandboxEventBody>;

export const sandboxDelivery = z.object({
  id: z.string(),
  eventId: z.string(),
  type: z.string(),
  fault: z.string().nullable(),
  story: z.string().nullable(),
  state: z.enum(["waiting", "delivered", "given_up"]),
  attempts: z.number().int(),
  lastStatus: z.number().int().nullable(),
  lastAnswer: z.string().nullable(),
  createdAt: z.string(),
});
export type SandboxDelivery = z.infer<typeof sandboxDelivery>;
export const sandboxDeliveryList = z.object({ data: z.array(sandboxDelivery), nextCursor: z.null() });
export const sandboxSent = z.object({ queued: z.number().int(), eventIds: z.array(z.string()) });
/** `POST /sandbox/api/stories`. `pace` is the pause between two events, in milliseconds. */
export const sandboxStoryBody = z.object({
  story: z
    .enum(["document_to_done", "document_fails", "automation_run", "automation_fails", "integration_life"])
    .default("document_to_done"),
  pace: z.number().int().min(0).max(10_000).default(700),
});
