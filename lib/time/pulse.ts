export type Pulse = { signal: AbortSignal; end: () => void };

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
