import * as z from "zod/mini";
import { eventSummary } from "./events.ts";

/**
 * What `GET /api/v1/feed` sends. `appended` carries a cursor as the frame's id
 * and is resumed from it. `applied` and `ready` are hints without a cursor:
 * losing one loses nothing.
 */
export const feedFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), data: z.object({ cursor: z.string() }) }),
  z.object({ event: z.literal("appended"), id: z.string(), data: eventSummary }),
  z.object({ event: z.literal("applied"), data: z.object({ at: z.string() }) }),
]);
export type FeedFrame = z.infer<typeof feedFrame>;
