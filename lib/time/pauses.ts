import { setImmediate as nextTurn } from "node:timers/promises";

const PIECE_MS = 5;

/** Lets other work run between the pieces of long synchronous work. */
export class Pauses {
  private since = performance.now();

  /** Waits for the next turn of the event loop if the last pause was 5 ms ago; await it after each piece. */
  async afterPiece(): Promise<void> {
    if (performance.now() - this.since < PIECE_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}

export async function mapInPieces<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const pauses = new Pauses();
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    await pauses.afterPiece();
  }
  return mapped;
}
