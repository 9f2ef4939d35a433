import type pg from "pg";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { leadsElsewhere } from "#lib/contracts/forwarding/entered-again";
import type { OwnHeader } from "#lib/contracts/forwarding/own-headers";
import { type Connection, prisma } from "#lib/db/prisma";
import { open, seal, VaultError } from "#lib/vault/vault";

/** Headers of a destination as its row has them. */
export type StoredOwnHeaders = { headerNames: string[]; headersSealed: string | null };

/** `url`: for which they were entered; only its origin is kept. */
type Sealed = { url: string; headers: OwnHeader[] };

const placeOf = (workspaceId: WorkspaceId, id: string) => ({ workspaceId, table: "destinations", row: id, field: "headers" });

/** Replaces the headers of a destination. @param url to which they are sent */
export async function putOwnHeaders(client: pg.PoolClient, workspaceId: WorkspaceId, id: string, { url, headers }: Sealed): Promise<void> {
  const kept: Sealed = { url: URL.parse(url)?.origin ?? "", headers };
  const sealed = headers.length === 0 ? null : await seal(JSON.stringify(kept), placeOf(workspaceId, id));
  await prisma(client).destination.updateMany({
    where: { id, workspaceId },
    data: {
      headerNames: headers.map(({ name }) => name),
      headersSealed: sealed?.sealed ?? null,
      headersKeyId: sealed?.keyId ?? null,
    },
  });
}

type Owner = { id: string; workspaceId: WorkspaceId };

/**
 * Opens the headers of a destination, for its URL. A process of the release before changes a URL and leaves them as they are.
 * @throws VaultError when they can't be opened, or were entered for another host
 */
export async function openOwnHeaders(
  { id, workspaceId }: Owner,
  { headerNames, headersSealed }: StoredOwnHeaders,
  url: string,
): Promise<OwnHeader[]> {
  if (headersSealed === null) {
    if (headerNames.length === 0) return [];
    throw new VaultError("key_unknown", "Its headers were encrypted with a key that was discarded. Enter them again.");
  }
  const kept = JSON.parse(await open(headersSealed, placeOf(workspaceId, id))) as Sealed;
  if (leadsElsewhere(kept.url, url)) throw new VaultError("wrong_context", "Its headers were entered for another host. Enter them again.");
  return kept.headers;
}

export async function findOwnHeaders(workspaceId: WorkspaceId, id: string, client?: Connection): Promise<StoredOwnHeaders> {
  const select = { headerNames: true, headersSealed: true };
  const found = await prisma(client).destination.findFirst({ where: { id, workspaceId, deletedAt: null }, select });
  return found ?? { headerNames: [], headersSealed: null };
}
