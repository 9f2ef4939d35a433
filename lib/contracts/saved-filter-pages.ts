/** Without schemas: every page loads them. */
export const SAVED_FILTER_PAGES = [
  "events",
  "issues",
  "missing-events",
  "quarantine",
  "connections",
  "documents",
  "tasks",
  "pipelines",
  "automations",
  "integrations",
  "records",
] as const;
