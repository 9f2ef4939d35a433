import * as z from "zod/mini";

/** A field of payloads, as the search takes it: `data.status`. `values`: those that it had, where it had a few only. */
export const eventField = z.object({ path: z.string(), values: z.array(z.string()) });
export type EventField = z.infer<typeof eventField>;

/** `GET /api/v1/events/fields`: at most 100, the most frequent first. */
export const eventFieldList = z.object({ data: z.array(eventField), nextCursor: z.null() });
