import type { FilterOf, Filters } from "./api/filters.ts";

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
      processed_never_uploaded: "document.processed or document.error without document.uploaded",
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
