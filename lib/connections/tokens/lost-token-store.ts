import { nextState, statesThatAllow } from "#lib/connections/connection-state";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";

/** Marks connections sealed with these keys as needing consent. The tokens stay: if a key returns, the next renewal opens them. */
export async function markTokensLost(keyIds: string[], now: Date): Promise<number> {
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query(
      `WITH lost AS (
         UPDATE connections c SET state = $3, problem_code = 'vault_key_lost', problem_detail = 'key_unknown', problem_at = $2,
                next_refresh_at = now(), claimed_until = NULL
           FROM connection_tokens t
          WHERE t.connection_id = c.id AND t.key_id = ANY($1) AND c.state = ANY($4) AND c.problem_code IS DISTINCT FROM 'vault_key_lost'
          RETURNING c.id, c.workspace_id)
       INSERT INTO connection_history (workspace_id, connection_id, at, kind, code, detail)
       SELECT workspace_id, id, $2, 'key_lost', 'vault_key_lost', 'key_unknown' FROM lost RETURNING 1`,
      [keyIds, now, nextState("connected", "key_lost"), statesThatAllow("key_lost")],
    );
    return rows.length;
  });
}

/** Erases tokens that no key opens; their connections need a new consent. */
export async function eraseLostTokens(keyIds: string[], now: Date): Promise<number> {
  await markTokensLost(keyIds, now);
  return inTransaction(pool(), async (client) => {
    const lost = { keyId: { in: keyIds } };
    await prisma(client).connection.updateMany({ where: { tokens: lost }, data: { version: { increment: 1 }, nextRefreshAt: null } });
    return (await prisma(client).connectionTokens.deleteMany({ where: lost })).count;
  });
}
