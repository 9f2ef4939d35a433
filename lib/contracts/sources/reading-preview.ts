import * as z from "zod/mini";
import { eventReading } from "./scheme-settings.ts";

/** `reading` null: the template's. Nothing is written. */
export const readingPreviewBody = z.strictObject({ reading: z.nullable(eventReading) });

const parts = z.object({ id: z.string(), type: z.string(), created: z.int() });

const previewedRequest = z.object({
  kind: z.enum(["event", "quarantined"]),
  id: z.string(),
  receivedAt: z.string(),
  before: z.nullable(parts),
  /** With this reading; the first entry of a list. */
  after: z.nullable(parts),
  events: z.int(),
  failure: z.nullable(z.string()),
});
export type PreviewedRequest = z.infer<typeof previewedRequest>;

/** Those that would be no event come first. Stored events keep their ID, type and time. */
export const readingPreview = z.object({
  requests: z.array(previewedRequest),
  changed: z.int(),
  failing: z.int(),
});
export type ReadingPreview = z.infer<typeof readingPreview>;
