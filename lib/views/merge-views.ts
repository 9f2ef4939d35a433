import type pg from "pg";
import { mergeRecords } from "./fold/fold.ts";
import { type FoldedView, findLocked, insertNewViews, lockViews, saveViews, viewKeyText } from "./view-store.ts";

/**
 * Merges folds of events into the views, in the current transaction. A new record is written once; one that
 * is there is locked, loaded and written once; large ones a part at a time, so that no more than 16 MB of stored
 * records are in memory.
 *
 * @param folds at most one a record
 */
export async function mergeIntoViews(client: pg.PoolClient, folds: FoldedView[]): Promise<void> {
  if (folds.length === 0) return;
  let left = await insertNewViews(client, folds);
  if (left.length === 0) return;
  for (let stored = await lockViews(client, left); ; stored = await findLocked(client, left)) {
    const merged: FoldedView[] = [];
    const waiting: FoldedView[] = [];
    for (const fold of left) {
      const before = stored.get(viewKeyText(fold));
      if (before) merged.push({ ...fold, registers: mergeRecords(fold.kind, before, fold.registers) });
      else waiting.push(fold);
    }
    if (merged.length === 0) throw new Error("a locked view is gone");
    await saveViews(client, merged);
    if (waiting.length === 0) return;
    left = waiting;
  }
}
