import { setTimeout as sleep } from "node:timers/promises";
import { findAccess } from "#lib/connections/grant-store";
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
  let [enoughLeftMs, renewedByMe] = [ENOUGH_LEFT_MS, false];
  while (Date.now() < giveUpAt) {
    const found = await readAccess(workspaceId, id, enoughLeftMs);
    if (found.accessToken && found.accessToken !== rejected) return { outcome: "token", accessToken: found.accessToken };
    if (renewedByMe) break;
    const { outcome } = await refreshConnection(workspaceId, id, { endingAt: found.endsAt });
    if (outcome === "in_progress") await sleep(POLL_MS);
    else if (outcome !== "refreshed" && outcome !== "superseded") break;
    renewedByMe = outcome === "refreshed";
    enoughLeftMs = 0; // a short-lived token is what the platform gives now
  }
  return { outcome: "unavailable" };
}

type Access = { accessToken: string | null; endsAt: Date | null };

/** The stored token when it is good for so long still, and when what was read ends: only that may be renewed. */
async function readAccess(workspaceId: WorkspaceId, id: ConnectionId, enoughLeftMs: number): Promise<Access> {
  const found = await findAccess(workspaceId, id);
  if (!found) return { accessToken: null, endsAt: null };
  const { state, accessExpiresAt, accessSealed } = found;
  const usable = state !== "disconnected" && state !== "needs_reauthorization";
  const lasts = accessExpiresAt !== null && accessExpiresAt.getTime() - Date.now() > enoughLeftMs;
  return { accessToken: usable && lasts ? await openToken(workspaceId, id, "access", accessSealed) : null, endsAt: accessExpiresAt };
}
