import * as z from "zod/mini";

/** `dataSchema` is the JSON Schema of `data`; null if the platform does not document it. */
export const eventTypeInfo = z.object({
  type: z.string(),
  title: z.string(),
  meaning: z.string(),
  subject: z.string(),
  reportsFailure: z.boolean(),
  dataSchema: z.nullable(z.record(z.string(), z.unknown())),
});
export type EventTypeInfo = z.infer<typeof eventTypeInfo>;

export const eventTypeList = z.object({ data: z.array(eventTypeInfo), nextCursor: z.null() });
export type EventTypeList = z.infer<typeof eventTypeList>;
