import type { ConnectionState } from "#lib/contracts/filters/connection-filters";

/** Connections that need someone to act, then working ones, then those not connected. */
const URGENCY: ConnectionState[] = ["needs_reauthorization", "retrying", "expiring", "connected", "pending", "disconnected"];

export const worstFirst = <One extends { state: ConnectionState }>(connections: readonly One[]): One[] =>
  [...connections].sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
