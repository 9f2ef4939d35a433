import { setImmediate as nextTurn } from "node:timers/promises";

/** Synchronous work of so many milliseconds holds up whatever else the process does, no more. */
const PIECE_MS = 5;

/** Lets the rest of the process go on between the pieces of long synchronous work. */
export class Pauses {
  private since = performance.now();

  /** To be awaited after each piece: waits for the next turn of the event loop when the last pause was 5 ms ago. */
  async afterPiece(): Promise<void> {
    if (performance.now() - this.since < PIECE_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}

/** `items.map(map)` as pieces of long work. */
export async function mapInPieces<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const pauses = new Pauses();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    await pauses.afterPiece();
  }
  return mapped;
}
