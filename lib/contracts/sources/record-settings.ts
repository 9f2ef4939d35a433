import * as z from "zod/mini";
import { text } from "../api/parameters.ts";

const dataPath = text(200).check(z.minLength(1));

/** Record that `records: generic` makes of an event that holds its ID. */
export const recordSettings = z.strictObject({
  kind: text(40).check(z.regex(/^[a-z][a-z0-9_-]*$/, "must be lowercase letters, digits, - and _, such as customer")),
  id: dataPath,
  /** Without it the state stays unknown. */
  state: z.optional(dataPath),
  /** Without it the ID names the record. */
  title: z.optional(dataPath),
});
export type RecordSettings = z.infer<typeof recordSettings>;
