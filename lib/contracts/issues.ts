import * as z from "zod/mini";
import { snoozeBody } from "./alerts/alerts.ts";
import { filterShape } from "./api/filter-schema.ts";
import { pageOf, pageQuery } from "./api/paging.ts";
import { text } from "./api/parameters.ts";
import { failure } from "./events/events.ts";
import { ISSUE_FILTERS, ISSUE_ORIGINS, ISSUE_SORTS, ISSUE_STATES } from "./filters/issue-filters.ts";

/** open: nobody is on it yet. acknowledged: someone is on it. ignored: recurrences don't alert. */
export const issueState = z.enum(ISSUE_STATES);
export type IssueState = z.infer<typeof issueState>;

/** Actions that a person may take on an issue. */
export const issueAction = z.enum(["acknowledge", "resolve", "ignore", "reopen"]);
export type IssueAction = z.infer<typeof issueAction>;

/**
 * Causes of automatic state changes. recurred: a failure of its kind. settled: its last failing event succeeded.
 * expired: that event has left the log.
 */
export const issueCause = z.enum(["recurred", "settled", "expired"]);
export type IssueCause = z.infer<typeof issueCause>;

/**
 * processing: events that could not be applied. platform: failures that the platform reports through its events.
 * forwarding: events that a destination did not get.
 */
export const issueOrigin = z.enum(ISSUE_ORIGINS);
export type IssueOrigin = z.infer<typeof issueOrigin>;

/** The kinds of issues that destinations have; their `place` is the destination's ID. */
export type ForwardingIssueCode = "deliveries_exhausted" | "destination_suspended";

/** A member of the workspace, as an issue names its assignee. */
const assignee = z.object({ id: z.string(), email: z.string(), name: z.nullable(z.string()) });
export type Assignee = z.infer<typeof assignee>;

/** Failures of one kind at one place. Counts above 1,000 are capped (`1001`). Times are ISO 8601 UTC. */
export const issue = z.object({
  id: z.string(),
  origin: issueOrigin,
  code: z.string(),
  type: z.string(),
  /** The type in words; of an issue of a destination, its name. */
  title: z.string(),
  /**
   * Place of the failure: the kind of record that is not named, the automation, the integration, the destination's ID; empty when
   * the type says all.
   */
  place: z.string(),
  state: issueState,
  stateAt: z.string(),
  /** Null when the state changed automatically. */
  stateBy: z.nullable(z.string()),
  /** Null when a person changed the state, or nothing has yet. */
  stateCause: z.nullable(issueCause),
  /** The member who is to look after it; null for nobody. */
  assignee: z.nullable(assignee),
  /** The newest failure, with its likely cause and the fix. */
  failure,
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** Events of the log that ever failed this way. */
  count: z.int(),
  /** Of those, the ones that stand failed now. */
  failing: z.int(),
  sampleEventId: z.string(),
  /** The name of the source of that event; null once it has left the log. */
  source: z.nullable(z.string()),
  /** Failures in each of the last 24 hours, oldest first. */
  lastDay: z.array(z.int()),
  /** Actions allowed in its present state. */
  actions: z.array(issueAction),
});
export type Issue = z.infer<typeof issue>;

/** `GET /api/v1/issues?state=&origin=&assignee=&q=&sort=`: `newest` failure first, the one `first_seen` last first, or the most events (`count`) first. */
export const issueQuery = z.extend(pageQuery, { ...filterShape(ISSUE_FILTERS), sort: z._default(z.enum(ISSUE_SORTS), "newest") });
export const issuePage = pageOf(issue);

/** `POST /api/v1/issues/{id}/state` */
export const issueStateBody = z.object({ action: issueAction });

/** Several issues at once. */
const issueIds = z.array(text(100).check(z.minLength(1))).check(z.minLength(1), z.maxLength(100));

/** `POST /api/v1/issues/state` */
export const issuesStateBody = z.object({ ids: issueIds, action: issueAction });

/** `POST /api/v1/issues/assignee`. `assignee`: a member's ID, or null for nobody. */
export const issuesAssigneeBody = z.object({ ids: issueIds, assignee: z.nullable(text(100).check(z.minLength(1))) });

/** `POST /api/v1/issues/snooze` */
export const issuesSnoozeBody = z.extend(snoozeBody, { ids: issueIds });

/** `unchanged`: those whose state allows no such step or that have this assignee already, and those that are not there. */
export const issuesChanged = z.object({ changed: z.array(z.string()), unchanged: z.array(z.string()) });
export type IssuesChanged = z.infer<typeof issuesChanged>;

/** Common cause of several issues of events that could not be applied: the code, the source, and when they began. */
export const rootCause = z.object({
  id: z.string(),
  code: z.string(),
  source: z.object({ id: z.string(), name: z.string() }),
  /** In words: `9 event types have no ID`. */
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  /** Events that stand failed; of each issue at most 1,001 counted. */
  failing: z.int(),
  /** When the oldest of them was received. */
  beganAt: z.string(),
  lastSeenAt: z.string(),
  /** The fields that the events lack, where a field mapping can say where they are. */
  fields: z.array(z.object({ field: z.string(), label: z.string(), issues: z.int(), failing: z.int() })),
  /** Its issues, those of the most failed events first. */
  issues: z.array(z.object({ id: z.string(), type: z.string(), what: z.string(), failing: z.int() })),
});
export type RootCause = z.infer<typeof rootCause>;

/** `GET /api/v1/issues/causes` */
export const rootCausePage = pageOf(rootCause);
