import type { FilterOf, Filters } from "./api/filters.ts";

// Without schemas: badges and lists are drawn before those load.
export const CONNECTION_STATES = ["pending", "connected", "expiring", "retrying", "needs_reauthorization", "disconnected"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** A new filter is an entry here and its SQL in lib/connections/connection-store.ts. */
export const CONNECTION_FILTERS = {
  state: {
    value: { kind: "choices", values: CONNECTION_STATES },
    label: "State",
    choices: {
      needs_reauthorization: "Needs reconnecting",
      retrying: "Retrying",
      expiring: "Expiring",
      connected: "Connected",
      pending: "Not connected",
      disconnected: "Disconnected",
    },
    input: { as: "select", any: "Any state" },
  },
} as const satisfies Filters;
export type ConnectionFilter = FilterOf<typeof CONNECTION_FILTERS>;

/** True if it matches: the page has all connections and filters them itself. */
export const matchesConnectionFilter = ({ state }: { state: ConnectionState }, filter: ConnectionFilter): boolean =>
  filter.state?.includes(state) ?? true;

/** Connections that need someone to act, then working ones, then those not connected. */
const URGENCY: ConnectionState[] = ["needs_reauthorization", "retrying", "expiring", "connected", "pending", "disconnected"];

export const worstFirst = <One extends { state: ConnectionState }>(connections: readonly One[]): One[] =>
  [...connections].sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
