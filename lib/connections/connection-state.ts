import type { ConnectionState } from "#lib/contracts/filters/connection-filters";

/** `delayed`: not renewed now; `lost`: never again; `doubted`: the platform says it was revoked, and the next renewal tells. */
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

const WITH_TOKENS = {
  granted: "connected",
  refreshed: "connected",
  delayed: "retrying",
  lost: "needs_reauthorization",
  doubted: "retrying",
  key_lost: "needs_reauthorization",
  disconnected: "disconnected",
} as const;

/** A step that is not listed can't happen: a late refresh doesn't bring a disconnected connection back. */
export const TRANSITIONS = {
  pending: { granted: "connected", disconnected: "disconnected" },
  connected: { ...WITH_TOKENS, expiry_near: "expiring" },
  expiring: WITH_TOKENS,
  retrying: WITH_TOKENS,
  // A refresh of another process may still succeed: the newest grant wins.
  needs_reauthorization: {
    granted: "connected",
    refreshed: "connected",
    key_lost: "needs_reauthorization",
    key_found: "retrying",
    disconnected: "disconnected",
  },
  disconnected: { granted: "connected", disconnected: "disconnected" },
} as const satisfies Record<ConnectionState, Partial<Record<Occurrence, ConnectionState>>>;

export function nextState(state: ConnectionState, occurrence: Occurrence): ConnectionState | null {
  return (TRANSITIONS[state] as Partial<Record<Occurrence, ConnectionState>>)[occurrence] ?? null;
}

/** Returns states for the WHERE of a guarded update. */
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

export const sentenceOf = (state: ConnectionState, hasRefreshToken: boolean): string =>
  state === "connected" && !hasRefreshToken
    ? "Connected. The platform issued no refresh token: reconnect when access expires."
    : SENTENCES[state];
