import { type Connection, type ConnectionState, connectionProblemCode, connectionState } from "#lib/contracts/connections";
import { problemOf } from "./connection-problems.ts";
import { sentenceOf } from "./connection-state.ts";

/** A connection as it is stored. */
export type ConnectionRow = {
  id: string;
  name: string;
  state: string;
  account: string | null;
  requiredScopes: string[];
  grantedScopes: string[];
  accessExpiresAt: Date | null;
  expiryKnown: boolean;
  hasRefreshToken: boolean;
  problemCode: string | null;
  problemDetail: string | null;
  problemAt: Date | null;
  connectedBy: string | null;
  connectedAt: Date | null;
  createdAt: Date;
  lastProvenAt: Date | null;
  lastRefreshAt: Date | null;
  nextRefreshAt: Date | null;
};

/**
 * A connection as the API shows it: state and problem in words, times in ISO 8601.
 *
 * @param now an access that has run out and can't be renewed shows as ended, also while no worker is there to note it
 */
export function toConnection(row: ConnectionRow, now: Date): Connection {
  const ended = hasEnded(row, now);
  const state = ended ? "needs_reauthorization" : connectionState.parse(row.state);
  const problemCode = ended ? "token_expired" : connectionProblemCode.nullable().catch("platform_error").parse(row.problemCode);
  const { id, name, account, requiredScopes, grantedScopes, expiryKnown, hasRefreshToken, connectedBy } = row;
  return {
    id,
    name,
    state,
    sentence: sentenceOf(state, hasRefreshToken),
    account,
    requiredScopes,
    grantedScopes,
    accessExpiresAt: iso(row.accessExpiresAt),
    expiryKnown,
    hasRefreshToken,
    problem: problemCode && problemOf(problemCode, row.problemDetail, ended ? row.accessExpiresAt : row.problemAt),
    connectedBy,
    connectedAt: iso(row.connectedAt),
    createdAt: row.createdAt.toISOString(),
    lastProvenAt: iso(row.lastProvenAt),
    lastRefreshAt: iso(row.lastRefreshAt),
    nextRefreshAt: iso(row.nextRefreshAt),
  };
}

const LIVE: ConnectionState[] = ["connected", "expiring"];

function hasEnded({ state, accessExpiresAt, expiryKnown, hasRefreshToken }: ConnectionRow, now: Date): boolean {
  const live = LIVE.some((each) => each === state);
  return live && !hasRefreshToken && expiryKnown && accessExpiresAt !== null && accessExpiresAt <= now;
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
