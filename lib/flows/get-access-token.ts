import { setTimeout as sleep } from "node:timers/promises";
import { findTokens } from "#lib/connections/grant-store";
import { findStanding } from "#lib/connections/refresh-claim-store";
import { openToken } from "#lib/connections/token-seal";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/ids";
import { refreshConnection } from "./refresh-connection.ts";

export type AccessTokenOutcome = { outcome: "token"; accessToken: string } | { outcome: "unavailable" };

const ENOUGH_LEFT_MS = 30_000;
const POLL_MS = 150;
const PATIENCE_MS = 12_000;

/**
 * An access token that works for another half minute at least: the stored one,
 * or a renewed one. While another process renews it, this one waits for that.
 *
 * @param rejected the token that a call was just refused with (platform-spec
 *   "Calls rejected: access token has expired (refresh it)"): it is not handed out again
 * @throws VaultError when the stored token can't be opened
 */
export async function getAccessToken(
  workspaceId: WorkspaceId,
  id: ConnectionId,
  { rejected }: { rejected?: string } = {},
): Promise<AccessTokenOutcome> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const stored = await readFresh(workspaceId, id);
    if (stored && stored !== rejected) return { outcome: "token", accessToken: stored };
    const { outcome } = await refreshConnection(workspaceId, id);
    if (outcome === "in_progress") await sleep(POLL_MS);
    else if (outcome !== "refreshed" && outcome !== "superseded") return { outcome: "unavailable" };
  }
  return { outcome: "unavailable" };
}

async function readFresh(workspaceId: WorkspaceId, id: ConnectionId): Promise<string | null> {
  const standing = await findStanding(workspaceId, id, new Date());
  if (!standing?.accessExpiresAt || standing.accessExpiresAt.getTime() - Date.now() < ENOUGH_LEFT_MS) return null;
  if (standing.state === "disconnected" || standing.state === "needs_reauthorization") return null;
  const tokens = await findTokens(workspaceId, id);
  return tokens && openToken(workspaceId, id, "access", tokens.accessSealed);
}
