import * as z from "zod/mini";

/** An event type of the catalogue. `dataSchema` is the JSON Schema of `data`; null where the platform does not document it. */
const eventTypeInfo = z.object({
  type: z.string(),
  title: z.string(),
  meaning: z.string(),
  /** The kind of resource that it is chiefly about. */
  subject: z.string(),
  reportsFailure: z.boolean(),
  dataSchema: z.nullable(z.record(z.string(), z.unknown())),
});
export type EventTypeInfo = z.infer<typeof eventTypeInfo>;

/** `GET /api/v1/event-types` */
export const eventTypeList = z.object({ data: z.array(eventTypeInfo), nextCursor: z.null() });
export type EventTypeList = z.infer<typeof eventTypeList>;
