import type pg from "pg";
import { mergeRecords } from "./fold/fold.ts";
import { type FoldedView, findLocked, insertNewViews, lockViews, saveViews, viewKeyText } from "./view-store.ts";

/** Merges folds (one a record) into the views. Each record is written once; no more than 16 MB of stored ones are in memory. */
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
