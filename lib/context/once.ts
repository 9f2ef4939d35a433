/** Objects of which a process has one. Each name is of one object, created where its module says. */
type Shared =
  | "logger"
  | "metrics"
  | "tracing"
  | "worker-counts"
  | "heartbeat"
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
  | "token-work"
  | "api-quota"
  | "listening"
  | "prisma"
  | "database-outage"
  | "database-connections"
  | "pools";

// On globalThis: Next bundles a second copy of our modules, and both copies must find the same things.
const place = globalThis as typeof globalThis & { signalbox?: Map<Shared, unknown> };
// Held from now on: what a test file leaves running keeps to its own, when tests drop it for the next file.
place.signalbox ??= new Map();
const shared = place.signalbox;

/** Returns what the process has of that name, created on first use. */
export function once<T>(name: Shared, create: () => T): T {
  if (!shared.has(name)) shared.set(name, create());
  return shared.get(name) as T;
}

/**
 * Takes it out of the process, so that the next use creates another; at shutdown and in tests.
 *
 * @returns what there was, for its owner to close
 */
export function forget<T>(name: Shared): T | undefined {
  const had = shared.get(name) as T | undefined;
  shared.delete(name);
  return had;
}
