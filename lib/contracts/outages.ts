import * as z from "zod/mini";
import { pageOf } from "./api/paging.ts";
import { moment } from "./api/parameters.ts";
import { sourceTemplateName } from "./sources/templates.ts";

/** A source to which webhooks may have been lost in an outage window, and what its sender does then. */
const outageSource = z.object({
  id: z.string(),
  name: z.string(),
  template: sourceTemplateName,
  sender: z.string(),
  /** Requests that were answered 503, and 429; whose they were is not known of each. */
  unavailable: z.int(),
  limited: z.int(),
  /** The sender's behaviour when a request fails, in words. */
  retries: z.string(),
  /** For how many hours it tries again; 0: never. Null where the sender doesn't say. */
  retryHours: z.nullable(z.number()),
  /** When it has given up what it could not send; null where that is not known. */
  retriesUntil: z.nullable(z.string()),
  /** Events of that time that have arrived since, at most 1,001; null where the sender's events have no time, or it was not counted. */
  arrivedSince: z.nullable(z.int()),
  /** URL of the sender's documentation of its webhooks. */
  docsUrl: z.nullable(z.string()),
});
export type OutageSource = z.infer<typeof outageSource>;

/** A time in which webhooks may have been lost through us, to the minute where requests were answered. */
export const outage = z.object({
  from: z.string(),
  to: z.string(),
  /** For how long of it no receiver ran, in milliseconds. */
  awayMs: z.int(),
  unavailable: z.int(),
  limited: z.int(),
  /** Somebody has looked after it. */
  dismissed: z.boolean(),
  sources: z.array(outageSource),
});
export type Outage = z.infer<typeof outage>;

/** `GET /api/v1/outages`: the last 30 days, newest first. */
export const outagePage = pageOf(outage);

/** `POST /api/v1/outages/dismissals`: all that ended by then. */
export const outageDismissal = z.strictObject({ until: moment });
