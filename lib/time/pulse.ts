/** Work that tells at an interval that it goes on. `signal` aborts it; `end` stops the telling. */
export type Pulse = { signal: AbortSignal; end: () => void };

/**
 * Tells at an interval that work goes on, until `end` is called. A beat that fails is left out: the database is unavailable, and the
 * work's own connection will fail.
 *
 * @param beat resolves to whether to go on; when not, the work is aborted
 * @param outer aborts the work, too
 * @param everyMs milliseconds
 */
export function startPulse(beat: () => Promise<boolean>, outer: AbortSignal, everyMs: number): Pulse {
  const abort = new AbortController();
  const pulse = setInterval(() => {
    beat()
      .then((goOn) => goOn || abort.abort())
      .catch(() => undefined);
  }, everyMs);
  return { signal: AbortSignal.any([outer, abort.signal]), end: () => clearInterval(pulse) };
}
