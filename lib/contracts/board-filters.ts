import type { FilterOf, Filters } from "./api/filters.ts";
import { VIEW_FILTERS } from "./list-filters.ts";

/** Of a pipeline's board; those that are filters of records too are theirs. The server has its SQL in lib/views/pipeline-store.ts. */
export const BOARD_FILTERS = {
  q: { ...VIEW_FILTERS.q, input: { as: "text", placeholder: "Task or ID", name: "Search this board" } },
  assignee: { ...VIEW_FILTERS.assignee, input: { as: "select", of: "assignees", any: "Anyone" } },
  order: {
    value: { kind: "choice", values: ["waiting"] },
    label: "Order of active tasks",
    choices: { waiting: "Longest waiting first" },
    input: { as: "buttons", any: "Newest first" },
  },
} as const satisfies Filters;
export type BoardFilter = FilterOf<typeof BOARD_FILTERS>;

/** Counts of a board's stages stop one above this. */
export const BOARD_COUNT_CAP = 10_000;
