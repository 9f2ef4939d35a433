import { systemClock } from "#lib/time/clock";

type Shared =
  | "logger"
  | "metrics"
  | "tracing"
  | "worker-counts"
  | "heartbeat"
  | "heartbeats-seen"
  | "receivers-seen"
  | "open-streams"
  | "anonymous-entries"
  | "request-bodies"
  | "request-origin"
  | "history-turns"
  | "request-turns"
  | "page-turns"
  | "receiver"
  | "receiver-presence"
  | "open-feeds"
  | "platform-metadata"
  | "token-work"
  | "api-quota"
  | "event-learner"
  | "listening"
  | "prisma"
  | "installation-figures"
  | "horizon-age"
  | "database-outage"
  | "database-connections"
  | "pools"
  | "pool-sizes";

// On globalThis: Next bundles a second copy of our modules, and both copies must find the same objects.
const place = globalThis as typeof globalThis & { signalbox?: Map<Shared, unknown> };
// Kept in a variable: code that a test file leaves running keeps its own map when tests drop this one for the next file.
place.signalbox ??= new Map();
const shared = place.signalbox;

export function once<T>(name: Shared, create: () => T): T {
  if (!shared.has(name)) shared.set(name, create());
  return shared.get(name) as T;
}

/** Removes the object, so that the next use creates another (at shutdown and in tests), and returns it for its owner to close. */
export function forget<T>(name: Shared): T | undefined {
  const had = shared.get(name) as T | undefined;
  shared.delete(name);
  return had;
}

/** Returns a function whose callers share one answer, or its failure, for `ms` milliseconds from the question. */
export function shareFor<T>(name: Shared, ms: number, ask: (now: Date) => Promise<T>): () => Promise<T> {
  return () => {
    const at = systemClock.elapsed();
    const begin = () => ({ at, answer: ask(new Date(systemClock.now())) });
    const last = once(name, begin);
    if (at - last.at <= ms) return last.answer;
    forget(name);
    return once(name, begin).answer;
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
