import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

/** A path of keys joined by dots, in an event's data. */
const dataPath = text(200).check(z.minLength(1));

/** Record that `records: generic` makes of a source's events: of one kind, where the event holds its ID. */
export const recordSettings = z.strictObject({
  /** Name of the kind. */
  kind: text(40).check(z.regex(/^[a-z][a-z0-9_-]*$/, "must be lowercase letters, digits, - and _, such as customer")),
  id: dataPath,
  /** Left out: its state stays unknown. */
  state: z.optional(dataPath),
  /** Left out: its ID names it. */
  title: z.optional(dataPath),
});
export type RecordSettings = z.infer<typeof recordSettings>;
