import type { ViewRecord } from "#lib/contracts/views";

/** A task's record; what a test is about is given. */
export const viewRecord = (given: Partial<ViewRecord>): ViewRecord => ({
  ...{ kind: "task", id: "task_1", label: "task_1", state: "open", failed: false, parent: null, fields: {} },
  lastEventAt: "2026-11-21T08:00:00.000Z",
  ...given,
});
