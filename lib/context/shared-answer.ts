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
