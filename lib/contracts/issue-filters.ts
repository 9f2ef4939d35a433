import type { FilterOf, Filters } from "./api/filters.ts";

export const ISSUE_STATES = ["open", "acknowledged", "ignored", "resolved"] as const;
export const ISSUE_ORIGINS = ["processing", "platform", "forwarding", "schema"] as const;

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
    choices: { processing: "Not applied", platform: "From the platform", forwarding: "Not delivered", schema: "Schema drift" },
    input: { as: "select", any: "All origins" },
  },
  source: { value: { kind: "text", max: 100 }, label: "Source", input: { as: "select", of: "sources", any: "Any source" } },
  /** A member's ID; `me`: the caller, or the person who made the caller's API key; `none`: nobody. */
  assignee: { value: { kind: "text", max: 100 }, label: "Assignee", input: { as: "select", of: "assignees", any: "Any assignee" } },
} as const satisfies Filters;
export type IssueFilter = FilterOf<typeof ISSUE_FILTERS>;

/** Here, apart from the schemas: the page of issues shows it before any answer is checked. */
export const movedWords = ({ from, to }: { from: string; to: string[] }): string =>
  `${from} is no longer sent, and ${to.join(", ")} ${to.length === 1 ? "is" : "are"} new since then`;
