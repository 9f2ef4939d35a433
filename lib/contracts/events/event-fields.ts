import * as z from "zod/mini";

/** `path` as the search takes it: `data.status`. `values`: if there were only a few. */
export const eventField = z.object({ path: z.string(), values: z.array(z.string()) });
export type EventField = z.infer<typeof eventField>;

export const eventFieldList = z.object({ data: z.array(eventField), nextCursor: z.null() });
