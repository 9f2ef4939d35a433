import type { LeasedDestination } from "#lib/forwarding/sender/sender-lease-store";

/** A probe that this sender has begun: during which state of the destination, and how many were recorded before it. */
export type BegunProbe = Pick<LeasedDestination, "epoch" | "probes">;

/**
 * Returns the settings to go on with. Those that were read may be older than what this sender has recorded since: the
 * destination's state may have changed, and a probe that was begun shows as due until it is recorded.
 */
export function laterSettings(read: LeasedDestination, known: LeasedDestination, begun: BegunProbe | null): LeasedDestination {
  if (read.epoch < known.epoch) return known;
  const isBegun = begun !== null && read.epoch === begun.epoch && read.probes <= begun.probes;
  return isBegun ? { ...read, isDue: false } : read;
}
