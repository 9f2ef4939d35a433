import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

/** Returns the newer settings: those read may be older than what this sender has done, and its probe shows as due until it is recorded. */
export function laterSettings(read: LeasedDestination, known: LeasedDestination): LeasedDestination {
  if (read.epoch < known.epoch) return known;
  const isBegun = read.epoch === known.epoch && read.state === "suspended" && read.probes <= known.probes;
  return isBegun ? { ...read, isDue: false } : read;
}
