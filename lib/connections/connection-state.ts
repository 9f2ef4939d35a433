import type { ConnectionState } from "#lib/contracts/connection-filters";
import { type Connection, type ConnectionProblem, connection, connectionProblemCode, connectionState } from "#lib/contracts/connections";
import { answered, column, columnsSql, type RowOf } from "#lib/db/columns";
import { redirectUri } from "#lib/platform/oauth";
import { problemOf } from "./connection-problems.ts";

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
  pending: "Not connected yet: Signalbox has no access to the account.",
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

const ROW = {
  id: column<string>(),
  name: column<string>(),
  state: column<string>(),
  account: column<string | null>(),
  accountBefore: column<string | null>(),
  requiredScopes: column<string[]>(),
  grantedScopes: column<string[]>("COALESCE(c.granted_scopes, '{}')"),
  accessExpiresAt: column<Date | null>(),
  expiryKnown: column<boolean>(),
  hasRefreshToken: column<boolean>("(t.refresh_sealed IS NOT NULL)"),
  problemCode: column<string | null>(),
  problemDetail: column<string | null>(),
  problemAt: column<Date | null>(),
  connectedBy: column<string | null>(),
  connectedAt: column<Date | null>(),
  createdAt: column<Date>(),
  lastProvenAt: column<Date | null>(),
  lastRefreshAt: column<Date | null>(),
  nextRefreshAt: column<Date | null>(),
  /** The platform asked to wait until then. */
  retryAfterUntil: column<Date | null>(),
  /** When the browser last left for the consent page without having returned. */
  awaitedSince: column<Date | null>(`(SELECT max(a.created_at) FROM authorization_attempts a
    WHERE c.state = 'pending' AND a.connection_id = c.id AND a.used_at IS NULL)`),
};

export type ConnectionRow = RowOf<typeof ROW>;

/** For queries that call connections c and their tokens t. */
export const CONNECTION_COLUMNS = columnsSql(ROW, "c");

/** After this time a person may never return from the consent page. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Shows expired access without a refresh token as ended, even before a worker notes it. */
export function toConnection(row: ConnectionRow, now: Date): Connection {
  const ended = hasEnded(row, now);
  const state = ended ? "needs_reauthorization" : connectionState.parse(row.state);
  return answered(connection, {
    ...row,
    state,
    sentence: sentenceOf(state, row.hasRefreshToken),
    problem: problemOfRow(row, ended, now) ?? notBackYet(row, now),
  });
}

function problemOfRow(row: ConnectionRow, ended: boolean, now: Date): ConnectionProblem | null {
  const { problemCode, problemDetail, problemAt, accessExpiresAt, retryAfterUntil } = row;
  if (ended) return problemOf("token_expired", null, accessExpiresAt);
  if (problemCode === null) return null;
  const problem = problemOf(connectionProblemCode.safeParse(problemCode).data ?? "platform_error", problemDetail, problemAt);
  if (retryAfterUntil === null || retryAfterUntil <= now) return problem;
  const until = `${retryAfterUntil.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return { ...problem, fix: `The platform asked Signalbox to wait until ${until}. Nothing to do: it retries then.` };
}

/** Names the likely cause: a callback that isn't registered shows on a page of the platform (docs/platform.md, "Redirect fails"). */
function notBackYet({ state, awaitedSince }: ConnectionRow, now: Date): ConnectionProblem | null {
  if (state !== "pending" || awaitedSince === null || now.getTime() - awaitedSince.getTime() < ANSWER_TIMEOUT_MS) return null;
  return {
    ...problemOf("callback_not_registered", null, awaitedSince),
    what: "Authorization on the platform is not finished.",
    why: "If the redirect failed: Callback URL is not registered in the OAuth app. Otherwise the dialog is still open, or was closed.",
    fix: `Register ${redirectUri()} in the platform's OAuth app, exactly as shown here, then connect again.`,
  };
}

const LIVE: ConnectionState[] = ["connected", "expiring"];

function hasEnded({ state, accessExpiresAt, expiryKnown, hasRefreshToken }: ConnectionRow, now: Date): boolean {
  const live = LIVE.some((each) => each === state);
  return live && !hasRefreshToken && expiryKnown && accessExpiresAt !== null && accessExpiresAt <= now;
}
