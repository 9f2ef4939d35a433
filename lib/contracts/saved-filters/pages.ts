/** The pages whose list can be filtered, as in their URLs: words alone, since every page of the browser reads them. */
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
