import { systemClock } from "#lib/time/clock";

/**
 * Lets those who ask share an answer for a while, so that what is asked is not
 * asked more often, however many want to know. A failure is shared as well.
 *
 * @param ms for how long, in milliseconds from the question
 * @param ask is given the time of the question
 */
export function shareFor<T>(ms: number, ask: (now: Date) => Promise<T>, clock = systemClock): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const at = clock.elapsed();
    if (!last || at - last.at > ms) last = { at, answer: ask(new Date(clock.now())) };
    return last.answer;
  };
}
