import * as z from "zod/mini";
import { cursorText } from "#lib/contracts/api/paging";
import { eventSummary } from "./events.ts";

/** Resumed from the ID of `appended`; losing others loses nothing. `delayed`: an open transaction holds events back; 0 ends it. */
export const feedFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("ready"), data: z.object({ cursor: z.string() }) }),
  z.object({ event: z.literal("appended"), id: z.string(), data: eventSummary }),
  z.object({ event: z.literal("applied"), data: z.object({ at: z.string() }) }),
  z.object({ event: z.literal("delayed"), data: z.object({ seconds: z.int().check(z.nonnegative()) }) }),
]);
export type FeedFrame = z.infer<typeof feedFrame>;

/** For a client that can't send `Last-Event-ID` the first time. */
export const feedQuery = z.object({ from: z.optional(cursorText) });
