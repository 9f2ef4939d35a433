import type pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { SchemeSettings } from "#lib/contracts/sources/scheme-settings";
import { notifyOnCommit } from "#lib/db/notifications";
import { inTransaction } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal, sourceSecretPlace } from "#lib/vault/vault";
import { putSecret } from "./source-store.ts";

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
    if (source === null || source.learning.secretId !== undefined) return null;
    const id = await putSecret(client, workspaceId, sourceId, secret, now, now);
    const scheme = { ...source.scheme, learning: { ...source.learning, secretId: id } };
    await prisma(client).source.updateMany({ where: { id: sourceId, workspaceId }, data: { scheme } });
    await onKept({ id, sourceName: source.name }, client);
    return notifyOnCommit(client, "sources", workspaceId);
  }).then((notifyHere) => {
    notifyHere?.();
    return notifyHere !== null;
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
