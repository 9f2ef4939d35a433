const PARTS = "names, columns or whole queries in it are chosen by the caller";
const TEMPORARY = "it reads a table that its transaction makes";

/** Statements that can't be described without running the product, by file: how many, and why. Integration tests run each of them. */
export const UNDESCRIBED: Record<string, { statements: number; why: string }> = {
  "lib/backup/copy-store.ts": { statements: 1, why: PARTS },
  "lib/db/bounded-query.ts": { statements: 2, why: PARTS },
  "lib/events/event-store.ts": { statements: 1, why: PARTS },
  "lib/events/hour-counter-store.ts": { statements: 1, why: PARTS },
  "lib/events/log/event-body-store.ts": { statements: 1, why: PARTS },
  "lib/events/search/strategy-store.ts": { statements: 2, why: PARTS },
  "lib/events/volume-store.ts": { statements: 3, why: PARTS },
  "lib/issues/issue-store.ts": { statements: 1, why: PARTS },
  "lib/operations/operation-store.ts": { statements: 1, why: PARTS },
  "lib/processing/inbox-store.ts": { statements: 1, why: PARTS },
  "lib/vault/sealed-row-store.ts": { statements: 2, why: PARTS },
  "lib/views/base-store.ts": { statements: 1, why: TEMPORARY },
  "lib/views/pipeline-store.ts": { statements: 1, why: PARTS },
  "lib/views/shadow-store.ts": { statements: 5, why: TEMPORARY },
  "lib/views/view-list-store.ts": { statements: 2, why: PARTS },
};
