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
