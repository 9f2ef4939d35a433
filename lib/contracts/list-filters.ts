import type { FilterOf, Filters } from "./api/filters.ts";
import type { DeliveryState } from "./forwarding/deliveries.ts";

/** A new filter is an entry here and its SQL in lib/views/view-list-store.ts. Those without an input are set by links and show as chips. */
export const VIEW_FILTERS = {
  q: { value: { kind: "text", max: 200 }, label: "Name or ID", input: { as: "text", placeholder: "Name or ID" } },
  state: { value: { kind: "text", max: 100 }, label: "State", input: { as: "select", of: "states", any: "Any state" } },
  failed: { value: { kind: "flag" }, label: "Failed only", input: { as: "switch", value: true } },
  parent: { value: { kind: "text", max: 600 }, label: "Parent" },
  stage: { value: { kind: "text", max: 200 }, label: "Stage" },
  assignee: { value: { kind: "text", max: 400 }, label: "Assignee" },
  active: { value: { kind: "flag" }, label: "Progress", choices: { true: "Active", false: "Completed" } },
} as const satisfies Filters;
export type ViewFilter = FilterOf<typeof VIEW_FILTERS>;

export const ISSUE_STATES = ["open", "acknowledged", "ignored", "resolved"] as const;
export const ISSUE_ORIGINS = ["processing", "platform", "forwarding"] as const;

export const ISSUE_SORTS = ["newest", "first_seen", "count"] as const;
export type IssueSort = (typeof ISSUE_SORTS)[number];

/** A new filter is an entry here and its SQL in lib/issues/issue-store.ts. */
export const ISSUE_FILTERS = {
  q: { value: { kind: "text", max: 200 }, label: "Search", input: { as: "text", placeholder: "Error, type or code" } },
  state: {
    value: { kind: "choices", values: ISSUE_STATES },
    label: "State",
    choices: { open: "Open", acknowledged: "Acknowledged", ignored: "Ignored", resolved: "Resolved" },
    input: { as: "buttons", any: "All" },
    fallback: "open",
  },
  origin: {
    value: { kind: "choice", values: ISSUE_ORIGINS },
    label: "Origin",
    choices: { processing: "Not applied", platform: "From the platform", forwarding: "Not delivered" },
    input: { as: "select", any: "All origins" },
  },
  source: { value: { kind: "text", max: 100 }, label: "Source", input: { as: "select", of: "sources", any: "Any source" } },
  /** A member's ID; `me`: the caller, or the person who made the caller's API key; `none`: nobody. */
  assignee: { value: { kind: "text", max: 100 }, label: "Assignee", input: { as: "select", of: "assignees", any: "Any assignee" } },
} as const satisfies Filters;
export type IssueFilter = FilterOf<typeof ISSUE_FILTERS>;

export const MISSING_EVENT_RULES = [
  "completed_never_created",
  "processed_never_uploaded",
  "run_without_end",
  "stage_never_entered",
  "disconnected_yet_working",
  "source_silent",
] as const;
export const MISSING_EVENT_STATES = ["open", "snoozed", "dismissed", "closed"] as const;

/** A new filter is an entry here and its SQL in lib/missing-events/missing-event-store.ts. */
export const MISSING_EVENT_FILTERS = {
  state: {
    value: { kind: "choice", values: MISSING_EVENT_STATES },
    label: "State",
    choices: { open: "Open", snoozed: "Snoozed", dismissed: "Dismissed", closed: "Closed automatically" },
    input: { as: "buttons" },
    fallback: "open",
  },
  rule: {
    value: { kind: "choice", values: MISSING_EVENT_RULES },
    label: "Rule",
    choices: {
      completed_never_created: "task.completed without task.created",
      processed_never_uploaded: "document.processed without document.uploaded",
      run_without_end: "automation.triggered without an end",
      stage_never_entered: "Task left a stage without entering it",
      disconnected_yet_working: "integration.disconnected, but access still works",
      source_silent: "Source stopped sending",
    },
    input: { as: "select", any: "Any rule" },
  },
  /** Source of an event that implies it, or the silent source. */
  source: { value: { kind: "text", max: 100 }, label: "Source", input: { as: "select", of: "sources", any: "Any source" } },
  resource: { value: { kind: "text", max: 600 }, label: "Resource" },
} as const satisfies Filters;
export type MissingEventFilter = FilterOf<typeof MISSING_EVENT_FILTERS>;

// Without schemas: badges and lists are drawn before those load.
export const CONNECTION_STATES = ["pending", "connected", "expiring", "retrying", "needs_reauthorization", "disconnected"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** A new filter is an entry here and its SQL in lib/connections/connection-store.ts. */
export const CONNECTION_FILTERS = {
  state: {
    value: { kind: "choices", values: CONNECTION_STATES },
    label: "State",
    choices: {
      needs_reauthorization: "Needs reconnecting",
      retrying: "Retrying",
      expiring: "Expiring",
      connected: "Connected",
      pending: "Not connected",
      disconnected: "Disconnected",
    },
    input: { as: "select", any: "Any state" },
  },
} as const satisfies Filters;
export type ConnectionFilter = FilterOf<typeof CONNECTION_FILTERS>;

/** True if it matches: the page has all connections and filters them itself. */
export const matchesConnectionFilter = ({ state }: { state: ConnectionState }, filter: ConnectionFilter): boolean =>
  filter.state?.includes(state) ?? true;

const DELIVERY_GROUPS = ["pending", "delivered", "exhausted", "skipped"] as const;
export type DeliveryGroup = (typeof DELIVERY_GROUPS)[number];

export const DELIVERY_FILTERS = {
  state: {
    value: { kind: "choice", values: DELIVERY_GROUPS },
    label: "State",
    choices: { pending: "Pending", delivered: "Delivered", exhausted: "Exhausted", skipped: "Skipped or cancelled" },
    input: { as: "buttons", any: "All" },
  },
} as const satisfies Filters;

export const STATES_OF: Record<DeliveryGroup, DeliveryState[]> = {
  pending: ["waiting", "retrying", "held"],
  delivered: ["delivered"],
  exhausted: ["exhausted"],
  skipped: ["skipped", "cancelled"],
};

export const REDELIVERY_OUTCOMES = ["applied", "failed", "waiting", "not_tried"] as const;

/** A new filter is an entry here and its SQL in lib/processing/redelivery-store.ts. */
export const REDELIVERY_EVENT_FILTERS = {
  outcome: {
    value: { kind: "choice", values: REDELIVERY_OUTCOMES },
    label: "Outcome",
    choices: { applied: "Applied", failed: "Failed", waiting: "Waiting", not_tried: "Not attempted" },
    input: { as: "buttons", any: "All" },
  },
} as const satisfies Filters;
export type RedeliveryEventFilter = FilterOf<typeof REDELIVERY_EVENT_FILTERS>;
