import * as z from "zod/mini";
import { moment, pageOf } from "./api/parameters.ts";
import { sourceTemplateName } from "./sources/templates.ts";

const outageSource = z.object({
  id: z.string(),
  name: z.string(),
  template: sourceTemplateName,
  sender: z.string(),
  /** Requests that were answered 503, and 429; the source of each is not known. */
  unavailable: z.int(),
  limited: z.int(),
  retries: z.string(),
  /** Hours that it retries for; 0: never. Null if the sender doesn't say. */
  retryHours: z.nullable(z.number()),
  retriesUntil: z.nullable(z.string()),
  /** Events of that time that have arrived since, capped at 1,001; null if the events have no time, or were not counted. */
  arrivedSince: z.nullable(z.int()),
  docsUrl: z.nullable(z.string()),
});
export type OutageSource = z.infer<typeof outageSource>;

/** Outage window, to the minute if requests were answered. */
export const outage = z.object({
  from: z.string(),
  to: z.string(),
  /** Milliseconds of it in which no receiver ran. */
  awayMs: z.int(),
  unavailable: z.int(),
  limited: z.int(),
  dismissed: z.boolean(),
  sources: z.array(outageSource),
});
export type Outage = z.infer<typeof outage>;

export const outagePage = pageOf(outage);

export const outageDismissal = z.strictObject({ until: moment });
