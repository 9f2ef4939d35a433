import { createHash } from "node:crypto";
import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { lockCount } from "#lib/db/locks";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction, pool } from "#lib/db/pool";
import { type Connection, prisma } from "#lib/db/prisma";
import { open, type SealContext, seal, sourceSecretPlace } from "#lib/vault/vault";
import { putSecret } from "./source-store.ts";

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

export type BroughtSecret = { workspaceId: WorkspaceId; sourceId: SourceId; secret: string };
/** `onKept`: called in the transaction that keeps the secret. */
export type OnKept = (kept: { id: string; sourceName: string }, client: pg.PoolClient) => Promise<void>;

type Learning = { name: string; scheme: SchemeSettings };

async function lockLearning(client: pg.PoolClient, { workspaceId, sourceId }: Omit<BroughtSecret, "secret">, now: Date) {
  const { rows } = await client.query<Learning>(
    "SELECT name, scheme FROM sources WHERE id = $1 AND workspace_id = $2 AND archived_at IS NULL FOR UPDATE",
    [sourceId, workspaceId],
  );
  const learning = rows[0]?.scheme.learning;
  return rows[0] && learning && Date.parse(learning.until) > now.getTime() ? { ...rows[0], learning } : null;
}

/** Keeps a secret that its sender brings while the source waits for one; false if it waits no more. The first that comes counts. */
export function keepBroughtSecret(from: pg.Pool, brought: BroughtSecret, now: Date, onKept: OnKept): Promise<boolean> {
  const { workspaceId, sourceId, secret } = brought;
  return inTransaction(from, async (client) => {
    const source = await lockLearning(client, brought, now);
    if (source === null || source.learning.secretId !== undefined) return false;
    const id = await putSecret(client, workspaceId, sourceId, secret, now, now);
    const scheme = { ...source.scheme, learning: { ...source.learning, secretId: id } };
    await prisma(client).source.updateMany({ where: { id: sourceId, workspaceId }, data: { scheme } });
    await onKept({ id, sourceName: source.name }, client);
    await notifyOnCommit(client, "sources", workspaceId);
    return true;
  });
}

/** Opens the secret that the sender brought, once: it is entered there again. Null if there is none to show (any more). */
export async function takeBroughtSecret(
  client: pg.PoolClient,
  place: Omit<BroughtSecret, "secret">,
  now: Date,
): Promise<{ sourceName: string; secretId: string; secret: string } | null> {
  const { workspaceId, sourceId } = place;
  const source = await lockLearning(client, place, now);
  const secretId = source?.learning.secretId;
  if (!source || secretId === undefined) return null;
  const row = await prisma(client).sourceSecret.findFirst({ where: { id: secretId, sourceId }, select: { sealed: true } });
  if (row === null) return null;
  const { learning: _, ...scheme } = source.scheme;
  await prisma(client).source.updateMany({ where: { id: sourceId, workspaceId }, data: { scheme } });
  return { sourceName: source.name, secretId, secret: await open(row.sealed, sourceSecretPlace(workspaceId, secretId)) };
}

type KeySet = { workspaceId: WorkspaceId; sourceId: SourceId; url: string; text: string };

/** Keeps a sender's keys, `url\ntime\nkeys`, in place of those before: one that was withdrawn verifies no more. */
export async function putKeySet(client: pg.PoolClient, { workspaceId, sourceId, url, text }: KeySet, now: Date): Promise<void> {
  await client.query("SELECT 1 FROM sources WHERE id = $1 FOR UPDATE", [sourceId]);
  const held = await prisma(client).sourceSecret.findMany({
    where: { sourceId, validUntil: null },
    select: { id: true, sealed: true },
  });
  for (const { id, sealed } of held) {
    const value = await open(sealed, sourceSecretPlace(workspaceId, id)).catch(() => "");
    if (keysOf(value) !== keysOf(text) || !value.startsWith(`${url}\n`)) continue;
    const again = await seal(text, sourceSecretPlace(workspaceId, id)); // the same keys, fetched later
    await prisma(client).sourceSecret.updateMany({ where: { id }, data: { sealed: again.sealed, keyId: again.keyId } });
    return;
  }
  await putSecret(client, workspaceId, sourceId, text, now, now);
}

const keysOf = (text: string): string => text.split("\n").slice(2).join("\n");
