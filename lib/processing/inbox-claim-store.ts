import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import type { Connection } from "#lib/db/prisma";

// Claims are committed before the work begins. A delivery that is in a claim and not locked
// was claimed by a process that died, or by a batch that failed.

/** Records a claim on a connection of its own: it must outlive the transaction that holds the deliveries, and the process. */
export async function recordClaim(inboxIds: number[]): Promise<number> {
  const { rows } = await pool("claims").query<{ id: number }>({
    name: "claim-record",
    text: "INSERT INTO inbox_claims (inbox_ids) VALUES ($1::bigint[]) RETURNING id",
    values: [inboxIds],
  });
  return claimIdOf(rows);
}

/** Records that one delivery is tried alone, and takes it out of the claim that it was left in. */
export async function recordLoneClaim(inboxId: number, leftIn: number | null): Promise<number> {
  const { rows } = await pool("claims").query<{ id: number }>({
    name: "claim-record-alone",
    text: `WITH its_last AS (DELETE FROM inbox_claims WHERE id = $2 AND inbox_ids = ARRAY[$1::bigint]),
        one_of_many AS (UPDATE inbox_claims SET inbox_ids = array_remove(inbox_ids, $1::bigint) WHERE id = $2 AND inbox_ids <> ARRAY[$1::bigint])
      INSERT INTO inbox_claims (inbox_ids, alone) VALUES (ARRAY[$1::bigint], true) RETURNING id`,
    values: [inboxId, leftIn],
  });
  return claimIdOf(rows);
}

const claimIdOf = (rows: { id: number }[]): number => {
  if (!rows[0]) throw new Error("the claim was not recorded");
  return rows[0].id;
};

/** Ends claims that were rolled back because the database was unavailable: their deliveries may be claimed together again. */
export async function deleteClaims(ids: number[]): Promise<void> {
  await pool("claims").query("DELETE FROM inbox_claims WHERE id = ANY($1::bigint[])", [ids]);
}

export type LoneDelivery = {
  inboxId: number;
  workspaceId: WorkspaceId;
  /** The claim that it was left in; null for one whose next try is due. */
  leftIn: number | null;
  /** True when it was tried alone and its claim was not ended: it ended its process. */
  endedItsProcess: boolean;
};

type Row = { id: number; workspace_id: WorkspaceId; claim_id: number | null; alone: boolean };

const IN_TURN = "ORDER BY i.workspace_id <= $1, i.workspace_id, i.due_at, i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED";

/** A due retry of a workspace compared with $1, not in a claim: those are found by the claim. */
const retry = (workspace: string) => `SELECT i.id, i.workspace_id, NULL::bigint AS claim_id, false AS alone FROM inbox i
  WHERE i.attempts > 0 AND i.due_at <= now() AND i.workspace_id ${workspace} AND i.id NOT IN (SELECT unnest(inbox_ids) FROM inbox_claims)
  ORDER BY i.workspace_id, i.due_at, i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED`;

const SOURCES = [
  `SELECT i.id, i.workspace_id, c.id AS claim_id, c.alone FROM inbox_claims c CROSS JOIN LATERAL unnest(c.inbox_ids) AS u(inbox_id)
   JOIN inbox i ON i.id = u.inbox_id ${IN_TURN}`,
  retry("> $1"),
  retry("<= $1"),
];

/** False when no delivery is to be tried alone. Ordered like the index of retries: else, before statistics exist, all is read. */
export async function mayWaitAlone(client: Connection = pool("worker")): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT EXISTS (SELECT FROM inbox_claims) OR (SELECT count(*) > 0 FROM (
       SELECT FROM inbox WHERE attempts > 0 AND due_at <= now() ORDER BY workspace_id, due_at, id LIMIT 1) retry) AS may`,
  );
  return rows[0]?.may === true;
}

/** Locks the next delivery to be tried alone: one left in a claim, else a due retry. Workspaces take turns, after the last served. */
export async function lockNextAlone(client: pg.PoolClient, after: string): Promise<LoneDelivery | null> {
  for (const text of SOURCES) {
    const { rows } = await client.query<Row>(text, [after]);
    const [row] = rows;
    if (!row || (row.claim_id !== null && !(await standsInClaim(client, row.id, row.claim_id)))) continue;
    return { inboxId: row.id, workspaceId: row.workspace_id, leftIn: row.claim_id, endedItsProcess: row.alone };
  }
  return null;
}

/** Checked again once the lock is held: another worker may have ended the claim a moment before. */
async function standsInClaim(client: pg.PoolClient, inboxId: number, claimId: number): Promise<boolean> {
  const { rowCount } = await client.query("SELECT 1 FROM inbox_claims WHERE id = $2 AND $1 = ANY(inbox_ids)", [inboxId, claimId]);
  return rowCount === 1;
}

export async function deleteEmptyClaims(): Promise<number> {
  const { rowCount } = await pool("worker").query(
    "DELETE FROM inbox_claims c WHERE NOT EXISTS (SELECT 1 FROM inbox i WHERE i.id = ANY(c.inbox_ids))",
  );
  return rowCount ?? 0;
}
