import type { ConnectionState } from "#lib/contracts/filters/connection-filters";

/** Connections that need a person first, then working ones, then those not connected; within each the newest first. */
const URGENCY: ConnectionState[] = ["needs_reauthorization", "retrying", "expiring", "connected", "pending", "disconnected"];

/** Connections, the most urgent first. */
export const worstFirst = <One extends { state: ConnectionState }>(connections: readonly One[]): One[] =>
  [...connections].sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
