import * as z from "zod/mini";
import { moment } from "#lib/contracts/api/parameters";

/** Of a period the newest are listed, this many at most. */
export const MAX_ANNOTATIONS = 100;

/** `GET /api/v1/events/annotations`. */
export const annotationsQuery = z.object({ from: moment, to: moment });

/** A possible explanation of a change in the events: in words, since when, and until when where it lasted. */
const annotation = z.object({
  kind: z.enum(["change", "version", "outage"]),
  at: z.string(),
  until: z.nullable(z.string()),
  text: z.string(),
});
export type Annotation = z.infer<typeof annotation>;

/** Oldest first. */
export const annotations = z.object({ data: z.array(annotation) });
