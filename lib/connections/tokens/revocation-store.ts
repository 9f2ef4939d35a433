import type pg from "pg";
import { REVOCATION_REASONS } from "#lib/connections/connection-problems";
import { appendHistory } from "#lib/connections/connection-store";
import { type ConnectionId, newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { queryRows } from "#lib/db/rows";
import { offersRevocation } from "#lib/platform/oauth";
import { open, type SealContext, seal } from "#lib/vault/vault";

/** A claim outlasts a request. */
const CLAIM = "interval '30 seconds'";

/** `token` null: it could not be opened. */
export type ToRevoke = {
  workspaceId: WorkspaceId;
  connectionId: ConnectionId;
  token: string | null;
  account: string | null;
  /** For the timeline: "the tokens that were stored". */
  what: string;
};

/** `attempts`: earlier requests. `createdAt`: waiting since. */
export type Revocation = Omit<ToRevoke, "token"> & { id: string; sealed: string; attempts: number; createdAt: Date };

type Ended = Pick<Revocation, "id" | "workspaceId" | "connectionId" | "what">;

export type Unaskable = "not_offered" | "not_possible";

export type RevocationState = "waiting" | "revoked" | "failed";

const placeOf = (workspaceId: WorkspaceId, id: string): SealContext => ({
  workspaceId,
  table: "token_revocations",
  row: id,
  field: "token",
});

/** Stores a token to be revoked, in the transaction that retires it. The caller asks the platform now; else a worker does. */
export async function insertRevocation(client: pg.PoolClient, toRevoke: ToRevoke, now: Date): Promise<Revocation | Unaskable> {
  const { workspaceId, connectionId, token, account, what } = toRevoke;
  const id = newId("rvk");
  const value = token === null || !offersRevocation() ? null : await seal(token, placeOf(workspaceId, id));
  await prisma(client).tokenRevocation.deleteMany({ where: { workspaceId, connectionId, state: { not: "waiting" } } });
  const { rows } = await client.query<{ createdAt: Date }>(
    `INSERT INTO token_revocations (id, workspace_id, connection_id, sealed, key_id, account, what, state, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + ${CLAIM}) RETURNING created_at AS "createdAt"`,
    [id, workspaceId, connectionId, value?.sealed ?? null, value?.keyId ?? null, account, what, value ? "waiting" : "failed"],
  );
  if (!value) {
    const outcome = offersRevocation() ? "not_possible" : "not_offered";
    await noteEnd(client, toRevoke, "failed", REVOCATION_REASONS[outcome], now);
    return outcome;
  }
  const { createdAt } = rows[0] as { createdAt: Date };
  return { id, workspaceId, connectionId, sealed: value.sealed, account, what, attempts: 0, createdAt };
}

export const claimRevocations = (limit: number): Promise<Revocation[]> =>
  queryRows<Revocation>(
    pool("worker"),
    `UPDATE token_revocations SET due_at = clock_timestamp() + ${CLAIM} WHERE id IN (
       SELECT id FROM token_revocations WHERE state = 'waiting' AND due_at <= clock_timestamp() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) AND sealed IS NOT NULL
     RETURNING id, workspace_id AS "workspaceId", connection_id AS "connectionId", sealed, account, what, attempts, created_at AS "createdAt"`,
    [limit],
  );

/** @throws VaultError if it can't be opened */
export const openRevocation = ({ workspaceId, id, sealed }: Revocation): Promise<string> => open(sealed, placeOf(workspaceId, id));

/** Erases the token and notes the outcome once; repeatable. */
export async function endRevocation(revocation: Ended, state: "revoked" | "failed", reason: string, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { count } = await prisma(client).tokenRevocation.updateMany({
      where: { id: revocation.id, state: "waiting" },
      data: { state, sealed: null, keyId: null },
    });
    if (count === 1) await noteEnd(client, revocation, state, reason, now);
  });
}

/** Gives up revocations whose token no key opens, and says so in the timeline. */
export async function failLostRevocations(keyIds: string[], now: Date): Promise<number> {
  const rows = await prisma().tokenRevocation.findMany({
    where: { state: "waiting", sealed: { not: null }, keyId: { in: keyIds } },
    select: { id: true, workspaceId: true, connectionId: true, what: true },
  });
  for (const revocation of rows as Ended[]) await endRevocation(revocation, "failed", "its token can't be decrypted: the key is lost", now);
  return rows.length;
}

/** Asks again later; only the first delay goes into the timeline. */
export async function delayRevocation(revocation: Revocation, waitMs: number, reason: string, now: Date): Promise<void> {
  await inTransaction(pool(), async (client) => {
    const { rowCount } = await client.query(
      `UPDATE token_revocations SET attempts = $2 + 1, due_at = clock_timestamp() + make_interval(secs => $3::float8)
       WHERE id = $1 AND state = 'waiting' AND attempts = $2`,
      [revocation.id, revocation.attempts, waitMs / 1000],
    );
    if (rowCount === 1 && revocation.attempts === 0) await noteEnd(client, revocation, "failed", `${reason}; Signalbox asks again`, now);
  });
}

export async function findLatestRevocation(workspaceId: WorkspaceId, connectionId: string): Promise<RevocationState | null> {
  const row = await prisma().tokenRevocation.findFirst({
    where: { workspaceId, connectionId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { state: true },
  });
  return row && (row.state as RevocationState);
}

/** Adds to the timeline, which a removed connection doesn't have. */
async function noteEnd(
  client: pg.PoolClient,
  { workspaceId, connectionId, what }: Omit<Ended, "id">,
  state: "revoked" | "failed",
  reason: string,
  now: Date,
): Promise<void> {
  if ((await prisma(client).connection.count({ where: { workspaceId, id: connectionId } })) === 0) return;
  const entry =
    state === "revoked" ? { kind: "revoked" as const, detail: what } : { kind: "not_revoked" as const, detail: `${what}: ${reason}` };
  await appendHistory(client, workspaceId, connectionId, { ...entry, actor: null, at: now });
}
