const PARTS = "names, columns or whole queries in it are chosen by the caller";
const TEMPORARY = "it reads a table that its transaction makes";

/** Statements that can't be described without running the product, by file: how many, and why. Integration tests run each of them. */
export const UNDESCRIBED: Record<string, { statements: number; why: string }> = {
  "lib/backup/copy-out-store.ts": { statements: 1, why: PARTS },
  "lib/db/capped-count.ts": { statements: 1, why: PARTS },
  "lib/db/planned-rows.ts": { statements: 1, why: PARTS },
  "lib/events/event-store.ts": { statements: 1, why: PARTS },
  "lib/events/hours/hour-store.ts": { statements: 1, why: PARTS },
  "lib/events/log/position-store.ts": { statements: 1, why: PARTS },
  "lib/events/search/lead-terms-store.ts": { statements: 1, why: PARTS },
  "lib/events/search/narrow-store.ts": { statements: 1, why: PARTS },
  "lib/events/volume-sample-store.ts": { statements: 2, why: PARTS },
  "lib/events/volume-store.ts": { statements: 1, why: PARTS },
  "lib/issues/issue-store.ts": { statements: 1, why: PARTS },
  "lib/operations/operation-store.ts": { statements: 1, why: PARTS },
  "lib/processing/inbox-claim-store.ts": { statements: 1, why: PARTS },
  "lib/vault/sealed-row-store.ts": { statements: 2, why: PARTS },
  "lib/views/base/base-store.ts": { statements: 1, why: TEMPORARY },
  "lib/views/board-store.ts": { statements: 1, why: PARTS },
  "lib/views/rebuild/shadow-compare-store.ts": { statements: 3, why: TEMPORARY },
  "lib/views/rebuild/shadow-store.ts": { statements: 1, why: PARTS },
  "lib/views/rebuild/task-move-shadow-store.ts": { statements: 1, why: TEMPORARY },
  "lib/views/search-store.ts": { statements: 1, why: PARTS },
  "lib/views/view-list-store.ts": { statements: 1, why: PARTS },
};
