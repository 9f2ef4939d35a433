import type { FilterOf, Filters } from "../api/filters.ts";

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
