import * as z from "zod/mini";
import { failure } from "./events.ts";
import { pageOf, pageQuery, repeated } from "./paging.ts";

/** open: nobody has said anything yet. acknowledged: somebody looks after it. ignored: it may go on failing. */
export const issueState = z.enum(["open", "acknowledged", "resolved", "ignored"]);
export type IssueState = z.infer<typeof issueState>;

/** What a person may do with an issue. */
export const issueAction = z.enum(["acknowledge", "resolve", "ignore", "reopen"]);
export type IssueAction = z.infer<typeof issueAction>;

/** What changes a state by itself. recurred: a failure of its kind. settled: its last failing event succeeded. expired: that event has left the log. */
export const issueCause = z.enum(["recurred", "settled", "expired"]);
export type IssueCause = z.infer<typeof issueCause>;

/** processing: events that could not be applied. platform: failures that the platform reports through its events. */
export const issueOrigin = z.enum(["processing", "platform"]);
export type IssueOrigin = z.infer<typeof issueOrigin>;

/** Failures of one kind at one place. Counts above 1,000 are capped (`1001`). Times are ISO 8601 UTC. */
export const issue = z.object({
  id: z.string(),
  origin: issueOrigin,
  code: z.string(),
  type: z.string(),
  /** The type in words. */
  title: z.string(),
  /** Where it fails: the kind of record that is not named, the automation, the integration; empty when the type says all. */
  place: z.string(),
  state: issueState,
  stateAt: z.string(),
  /** Null when the state changed by itself. */
  stateBy: z.nullable(z.string()),
  /** Null when a person changed the state, or nothing has yet. */
  stateCause: z.nullable(issueCause),
  /** The newest failure in words, with the likely cause and the mend. */
  failure,
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** Events of the log that ever failed this way. */
  count: z.int(),
  /** Of those, the ones that stand failed now. */
  failing: z.int(),
  sampleEventId: z.string(),
  /** Failures in each of the last 24 hours, oldest first. */
  lastDay: z.array(z.int()),
  /** What may be done with it in its present state. */
  actions: z.array(issueAction),
});
export type Issue = z.infer<typeof issue>;

/** `GET /api/v1/issues?state=&origin=`: the one that failed last comes first. */
export const issueFilter = z.object({ state: repeated(issueState), origin: z.optional(issueOrigin) });
export type IssueFilter = z.infer<typeof issueFilter>;
export const issueQuery = z.extend(issueFilter, pageQuery.shape);
export const issuePage = pageOf(issue);

/** `POST /api/v1/issues/{id}/state` */
export const issueStateBody = z.object({ action: issueAction });
