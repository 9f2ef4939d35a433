import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

/**
 * Returns the settings to go on with, where those that were read may be older than what this sender has done since: the
 * destination's state may have changed, and the probe that follows those of `known` shows as due until it is recorded.
 */
export function laterSettings(read: LeasedDestination, known: LeasedDestination): LeasedDestination {
  if (read.epoch < known.epoch) return known;
  const isBegun = read.epoch === known.epoch && read.state === "suspended" && read.probes <= known.probes;
  return isBegun ? { ...read, isDue: false } : read;
}
