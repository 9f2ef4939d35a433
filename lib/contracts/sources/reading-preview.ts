import * as z from "zod/mini";
import { eventReading } from "./scheme-settings.ts";

/** `POST /api/v1/sources/{id}/reading/preview`: places of an event's parts; null: as the template says. Nothing is written. */
export const readingPreviewBody = z.strictObject({ reading: z.nullable(eventReading) });

const parts = z.object({ id: z.string(), type: z.string(), created: z.int() });

const previewedRequest = z.object({
  /** A stored event, or a verified request in quarantine. */
  kind: z.enum(["event", "quarantined"]),
  id: z.string(),
  receivedAt: z.string(),
  /** Parts that are read now; null where the request is no event. */
  before: z.nullable(parts),
  /** The same with this reading; of a list its first entry. */
  after: z.nullable(parts),
  /** Number of events that the request becomes with this reading. */
  events: z.int(),
  /** Why it is no event with this reading; null where it is one. */
  failure: z.nullable(z.string()),
});
export type PreviewedRequest = z.infer<typeof previewedRequest>;

/** The newest requests, those first that would be no event. Stored events keep their ID, type and time. */
export const readingPreview = z.object({
  requests: z.array(previewedRequest),
  /** Of these: would be read another way, and would be no event. */
  changed: z.int(),
  failing: z.int(),
});
export type ReadingPreview = z.infer<typeof readingPreview>;
