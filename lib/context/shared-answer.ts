import { systemClock } from "#lib/time/clock";

/** Returns a function whose callers share one answer, or its failure, for `ms` milliseconds from the question. */
export function shareFor<T>(ms: number, ask: (now: Date) => Promise<T>, clock = systemClock): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const at = clock.elapsed();
    if (!last || at - last.at > ms) last = { at, answer: ask(new Date(clock.now())) };
    return last.answer;
  };
}

/** Returns a function whose callers share an answer if they ask for the same key in one turn of the event loop. */
export function together<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = underWay.get(key);
    if (known) return known;
    const answer = ask();
    underWay.set(key, answer);
    // No longer than that: a caller that is woken later must not get an answer from before.
    setImmediate(() => underWay.delete(key));
    return answer;
  };
}
