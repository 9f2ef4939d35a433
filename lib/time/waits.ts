import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Returns the result of work, or `otherwise()` after `ms`; the work goes on. Node runs expired timers before it reads: a blocked process
 * reads once more before it gives up, so that nothing is lost that arrived in time.
 */
export async function inTime<T, U>(work: Promise<T>, ms: number, otherwise: () => U): Promise<T | U> {
  work.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve), ms);
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}

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

type Pulse = { signal: AbortSignal; end: () => void };

/** Calls `beat` until `end`; false aborts the work. A failed beat is skipped: the work's own connection will fail as well. */
export function startPulse(beat: () => Promise<boolean>, outer: AbortSignal, everyMs: number): Pulse {
  const abort = new AbortController();
  const pulse = setInterval(() => {
    beat()
      .then((goOn) => goOn || abort.abort())
      .catch(() => undefined);
  }, everyMs);
  return { signal: AbortSignal.any([outer, abort.signal]), end: () => clearInterval(pulse) };
}

const JITTER = 0.2;
/** No answer makes us wait longer. */
export const MAX_WAIT_MS = 24 * 3_600_000;

/** Returns milliseconds: `baseMs` with 20% jitter, or Retry-After (RFC 9110 section 10.2.3) between `baseMs` and 24 hours. */
export function retryWait(baseMs: number, retryAfterMs: number | null, random: number): number {
  const jittered = baseMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(retryAfterMs === null ? jittered : Math.min(Math.max(retryAfterMs, baseMs), MAX_WAIT_MS));
}

/** Returns milliseconds: `firstMs` after the first failure, then `factor` times the previous wait, up to `maxMs`. */
export const growingWait = (tries: number, { firstMs, maxMs, factor = 2 }: { firstMs: number; maxMs: number; factor?: number }): number =>
  Math.min(firstMs * factor ** (tries - 1), maxMs);
