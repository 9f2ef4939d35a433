import { appendHistory } from "#lib/connections/connection-history-store";
import type { ConnectionId, WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import type { SealedTokens } from "./grant-store.ts";
import { insertRevocation, type Revocation, type Unaskable } from "./revocation-store.ts";
import { openRevocable } from "./token-seal.ts";

/** `revocation`: of the erased tokens, to be requested now. `refreshUnderWay`: a process may be receiving newer ones. */
export type Erased = { revocation: Revocation | Unaskable | null; refreshUnderWay: boolean };

const NO_ACCESS = { accessExpiresAt: null, grantedScopes: [], nextRefreshAt: null, retryAfterUntil: null, claimedUntil: null };
const NO_PROBLEM = { accountBefore: null, problemCode: null, problemDetail: null, problemAt: null };

/** Erases tokens, and stores their revocation in one transaction. The version rejects refreshes under way, the lost attempt a late code. */
export async function eraseGrant(workspaceId: WorkspaceId, id: ConnectionId, by: string, now: Date): Promise<Erased | null> {
  return inTransaction(pool(), async (client) => {
    const before = await client.query<{ claimed: boolean; account: string | null }>(
      "SELECT claimed_until IS NOT NULL AS claimed, account FROM connections WHERE workspace_id = $1 AND id = $2 FOR UPDATE",
      [workspaceId, id],
    );
    const [current] = before.rows;
    if (!current) return null;
    const data = { ...NO_ACCESS, ...NO_PROBLEM, state: "disconnected", version: { increment: 1 } };
    await prisma(client).connection.updateMany({ where: { workspaceId, id }, data });
    await prisma(client).authorizationAttempt.deleteMany({ where: { workspaceId, connectionId: id } });
    const { rows } = await client.query<SealedTokens>(
      `DELETE FROM connection_tokens WHERE workspace_id = $1 AND connection_id = $2
       RETURNING access_sealed AS "accessSealed", refresh_sealed AS "refreshSealed", key_id AS "keyId", version`,
      [workspaceId, id],
    );
    await appendHistory(client, workspaceId, id, { kind: "disconnected", actor: by, at: now });
    const [tokens] = rows;
    if (!tokens) return { revocation: null, refreshUnderWay: current.claimed };
    const token = await openRevocable(workspaceId, id, tokens);
    const toRevoke = { workspaceId, connectionId: id, token, account: current.account, what: "the tokens that were stored" };
    return { revocation: await insertRevocation(client, toRevoke, now), refreshUnderWay: current.claimed };
  });
}
