import * as z from "zod/mini";
import { cursorText } from "#lib/contracts/api/paging";
import { eventSummary } from "./events.ts";

/**
 * Frames of `GET /api/v1/feed`. `appended` carries a cursor as the frame's id
 * and is resumed from it. `applied`, `ready` and `delayed` are hints without a
 * cursor: losing one loses nothing. `delayed` comes when new events are held back (by an open transaction that appends
 * to the log), every few seconds while that lasts, and once more with 0 when it is over.
 */
export const feedFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), data: z.object({ cursor: z.string() }) }),
  z.object({ event: z.literal("appended"), id: z.string(), data: eventSummary }),
  z.object({ event: z.literal("applied"), data: z.object({ at: z.string() }) }),
  z.object({ event: z.literal("delayed"), data: z.object({ seconds: z.int().check(z.nonnegative()) }) }),
]);
export type FeedFrame = z.infer<typeof feedFrame>;

/** `GET /api/v1/feed?from=`: goes on after this cursor, for a client that can't send `Last-Event-ID` the first time. */
export const feedQuery = z.object({ from: z.optional(cursorText) });
