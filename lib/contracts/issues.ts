import * as z from "zod/mini";
import { snoozeBody } from "./alerts.ts";
import { filteredPageOf, filterShape, pageOf, pageQuery, text } from "./api/parameters.ts";
import { failure } from "./events/events.ts";
import { ISSUE_FILTERS, ISSUE_ORIGINS, ISSUE_SORTS, ISSUE_STATES } from "./issue-filters.ts";

/** open: unassigned. acknowledged: someone is on it. ignored: recurrences don't alert. */
export const issueState = z.enum(ISSUE_STATES);
export type IssueState = z.infer<typeof issueState>;

export const issueAction = z.enum(["acknowledge", "resolve", "ignore", "reopen"]);
export type IssueAction = z.infer<typeof issueAction>;

/** Causes of automatic changes. recurred: it failed again. settled: its last failing event succeeded. expired: that event left the log. */
export const issueCause = z.enum(["recurred", "settled", "expired"]);
export type IssueCause = z.infer<typeof issueCause>;

/** processing: not applied. platform: failures that the platform reports. forwarding: not delivered to a destination. schema: an event
 * type is not what it was. */
export const issueOrigin = z.enum(ISSUE_ORIGINS);
export type IssueOrigin = z.infer<typeof issueOrigin>;

/** Issues of destinations; their `place` is the destination's ID. */
export type ForwardingIssueCode = "deliveries_exhausted" | "destination_suspended";

const assignee = z.object({ id: z.string(), email: z.string(), name: z.nullable(z.string()) });
export type Assignee = z.infer<typeof assignee>;

/** Failures of one kind at one place. Counts above 1,000 are capped (`1001`). Times are ISO 8601 UTC. */
export const issue = z.object({
  id: z.string(),
  origin: issueOrigin,
  code: z.string(),
  type: z.string(),
  title: z.string(),
  /** Kind of record without an ID, automation, integration, the destination's ID, or the event type's ID and the field; empty if the type says all. */
  place: z.string(),
  state: issueState,
  stateAt: z.string(),
  stateBy: z.nullable(z.string()),
  stateCause: z.nullable(issueCause),
  assignee: z.nullable(assignee),
  failure,
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** Events that ever failed this way; `failing` of them are failed now, `repaired` succeeded since. */
  count: z.int(),
  failing: z.int(),
  repaired: z.int(),
  sampleEventId: z.string(),
  source: z.nullable(z.string()),
  /** Failures in each of the 24 hours that begin with `lastDayFrom`, and how many of them are repaired. */
  lastDay: z.array(z.int()),
  lastDayRepaired: z.array(z.int()),
  lastDayFrom: z.string(),
  actions: z.array(issueAction),
});
export type Issue = z.infer<typeof issue>;

/** Sorted by the `newest` failure, by `first_seen`, newest first, or by the most events (`count`). */
export const issueQuery = z.extend(pageQuery, { ...filterShape(ISSUE_FILTERS), sort: z._default(z.enum(ISSUE_SORTS), "newest") });
export const issuePage = filteredPageOf(issue);

export const issueStateBody = z.object({ action: issueAction });

const issueIds = z.array(text(100).check(z.minLength(1))).check(z.minLength(1), z.maxLength(100));

export const issuesStateBody = z.object({ ids: issueIds, action: issueAction });

export const issuesAssigneeBody = z.object({ ids: issueIds, assignee: z.nullable(text(100).check(z.minLength(1))) });

export const issuesSnoozeBody = z.extend(snoozeBody, { ids: issueIds });

/** `unchanged`: their state does not allow the action, they have this assignee already, or they don't exist. */
export const issuesChanged = z.object({ changed: z.array(z.string()), unchanged: z.array(z.string()) });
export type IssuesChanged = z.infer<typeof issuesChanged>;

/** A field that events of a type no longer have, and those that all of them have since. */
const movedField = z.object({ from: z.string(), to: z.array(z.string()) });
export type MovedField = z.infer<typeof movedField>;

export const rootCause = z.object({
  id: z.string(),
  code: z.string(),
  source: z.object({ id: z.string(), name: z.string() }),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  /** Failed events; counted up to 1,001 for each issue. */
  failing: z.int(),
  beganAt: z.string(),
  lastSeenAt: z.string(),
  /** Fields that the events lack and a field mapping could place. */
  fields: z.array(z.object({ field: z.string(), label: z.string(), issues: z.int(), failing: z.int(), moved: z.nullable(movedField) })),
  issues: z.array(z.object({ id: z.string(), type: z.string(), what: z.string(), failing: z.int() })),
});
export type RootCause = z.infer<typeof rootCause>;

export const rootCausePage = pageOf(rootCause);
