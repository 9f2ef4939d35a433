import { createHash } from "node:crypto";
import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { lockCount } from "#lib/db/locks";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { open, type SealContext, seal } from "#lib/vault/vault";

export type SenderFetch = { workspaceId: WorkspaceId; sourceId: SourceId; kind: "certificate" | "confirmation"; url: string };
export type ClaimedFetch = SenderFetch & { id: string; tries: number };

const FIRST_PAUSES = [2, 5, 15, 60, 300];
const HOUR = 3600;
/** Seconds, by attempt. A sender repeats its messages, but asks only once for a confirmation, accepted for three days: tried for two. */
const PAUSES = {
  certificate: FIRST_PAUSES,
  confirmation: [...FIRST_PAUSES, 900, HOUR, 2 * HOUR, 4 * HOUR, ...Array<number>(7).fill(6 * HOUR)],
};
export const isLastTry = ({ kind, tries }: Pick<ClaimedFetch, "kind" | "tries">): boolean => tries > PAUSES[kind].length;

/** For each source: more waiting certificates are made up. */
const MAX_WAITING = { certificate: 5, confirmation: 100 };

const placeOf = (workspaceId: WorkspaceId, id: string): SealContext => ({
  workspaceId,
  table: "sender_fetches",
  row: id,
  field: "url_sealed",
});

/** Returns false if too many are waiting. A fetch that is already requested stays as it is. */
export async function insertFetch(from: pg.Pool, { workspaceId, sourceId, kind, url }: SenderFetch): Promise<boolean> {
  const id = `fet_${createHash("sha256").update(`${sourceId} ${url}`).digest("hex").slice(0, 32)}`;
  const { sealed } = await seal(url, placeOf(workspaceId, id));
  return inTransaction(from, async (client) => {
    await lockCount(client, "sender_fetches", workspaceId);
    const { rowCount } = await client.query(
      `INSERT INTO sender_fetches (id, workspace_id, source_id, kind, url_sealed)
       SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM sender_fetches WHERE source_id = $3 AND kind = $4) < $6 ON CONFLICT DO NOTHING`,
      [id, workspaceId, sourceId, kind, sealed, MAX_WAITING[kind]],
    );
    return rowCount === 1 || (await prisma(client).senderFetch.count({ where: { id } })) === 1;
  });
}

/** Claims due fetches. Each is due again after a pause, unless it is deleted by then. */
export async function claimFetches(): Promise<ClaimedFetch[]> {
  const { rows } = await pool("worker").query<Omit<ClaimedFetch, "url"> & { sealed: string }>(
    `UPDATE sender_fetches f SET tries = tries + 1, due_at = now() + make_interval(secs =>
       coalesce((CASE f.kind WHEN 'certificate' THEN $1::int[] ELSE $2::int[] END)[f.tries + 1], 300))
     FROM (SELECT id FROM sender_fetches WHERE due_at <= now() ORDER BY due_at LIMIT 10 FOR UPDATE SKIP LOCKED) due WHERE due.id = f.id
     RETURNING f.id, workspace_id AS "workspaceId", source_id AS "sourceId", kind, url_sealed AS sealed, tries`,
    [PAUSES.certificate, PAUSES.confirmation],
  );
  const opened = rows.map(async ({ sealed, ...fetch }) => ({
    ...fetch,
    url: await open(sealed, placeOf(fetch.workspaceId, fetch.id)).catch(() => ""),
  }));
  return Promise.all(opened);
}

export async function deleteFetch(from: Connection, id: string): Promise<void> {
  await prisma(from).senderFetch.deleteMany({ where: { id } });
}
