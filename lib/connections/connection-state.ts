import type { ConnectionState } from "#lib/contracts/filters/connection-filters";

/**
 * Occurrences of a connection. `delayed`: the platform did not renew it
 * now; `lost`: it never will. `doubted`: the platform says that it revoked the
 * access, and the next renewal will tell. `key_lost` and `key_found`: the
 * vault can't open the tokens, and can again.
 */
export type Occurrence =
  | "granted"
  | "refreshed"
  | "delayed"
  | "lost"
  | "expiry_near"
  | "doubted"
  | "key_lost"
  | "key_found"
  | "disconnected";

/** The steps of a connection that has tokens. */
const WITH_TOKENS = {
  granted: "connected",
  refreshed: "connected",
  delayed: "retrying",
  lost: "needs_reauthorization",
  doubted: "retrying",
  key_lost: "needs_reauthorization",
  disconnected: "disconnected",
} as const;

/**
 * Every allowed step of a connection's lifecycle. What is not listed does not
 * happen: a late refresh can't bring a disconnected one back.
 */
export const TRANSITIONS = {
  pending: { granted: "connected", disconnected: "disconnected" },
  connected: { ...WITH_TOKENS, expiry_near: "expiring" },
  expiring: WITH_TOKENS,
  retrying: WITH_TOKENS,
  // A refresh that another process had under way may still succeed: the newest grant wins.
  needs_reauthorization: {
    granted: "connected",
    refreshed: "connected",
    key_lost: "needs_reauthorization",
    key_found: "retrying",
    disconnected: "disconnected",
  },
  disconnected: { granted: "connected", disconnected: "disconnected" },
} as const satisfies Record<ConnectionState, Partial<Record<Occurrence, ConnectionState>>>;

/** The state that follows; null when this can't happen in that state. */
export function nextState(state: ConnectionState, occurrence: Occurrence): ConnectionState | null {
  return (TRANSITIONS[state] as Partial<Record<Occurrence, ConnectionState>>)[occurrence] ?? null;
}

/** The states in which that can happen; for the WHERE of a guarded update. */
export const statesThatAllow = (occurrence: Occurrence): ConnectionState[] =>
  (Object.keys(TRANSITIONS) as ConnectionState[]).filter((state) => nextState(state, occurrence) !== null);

const SENTENCES: Record<ConnectionState, string> = {
  pending: "Not connected yet: access has not been approved on the platform.",
  connected: "Connected. Access is renewed automatically.",
  expiring: "Connected, but access expires soon and can't be renewed automatically. Reconnect to keep it.",
  retrying: "Access couldn't be renewed. Retrying automatically.",
  needs_reauthorization: "Access has ended. Reconnect to continue.",
  disconnected: "Disconnected. The tokens have been erased.",
};

/** The state in a sentence, without times. */
export const sentenceOf = (state: ConnectionState, hasRefreshToken: boolean): string =>
  state === "connected" && !hasRefreshToken
    ? "Connected. The platform issued no refresh token: reconnect when access expires."
    : SENTENCES[state];
