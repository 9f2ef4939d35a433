import type pg from "pg";
import { newId, type WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { open, seal } from "#lib/vault/vault";
import { newSigningSecret } from "./attempt/outgoing-request.ts";

/** SQL: true for the active secret, and for the one it replaced until the overlap ends. */
const SIGNS = "(valid_until IS NULL OR valid_until > now())";

export async function openSigningSecrets(workspaceId: WorkspaceId, destinationId: string): Promise<string[]> {
  const { rows } = await pool("forwarding").query<{ id: string; sealed: string }>(
    `SELECT id, sealed FROM destination_secrets WHERE workspace_id = $1 AND destination_id = $2 AND ${SIGNS} ORDER BY created_at DESC, id`,
    [workspaceId, destinationId],
  );
  return Promise.all(rows.map(({ id, sealed }) => open(sealed, contextOf(workspaceId, id))));
}

/** Inserts a random secret. The previous one signs until `previousValidUntil`; older ones end now. The secret can't be read again. */
export async function insertSecret(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  destinationId: string,
  previousValidUntil: Date,
): Promise<{ id: string; secret: string }> {
  await client.query("UPDATE destination_secrets SET valid_until = now() WHERE destination_id = $1 AND valid_until > now()", [
    destinationId,
  ]);
  await prisma(client).destinationSecret.updateMany({
    where: { destinationId, validUntil: null },
    data: { validUntil: previousValidUntil },
  });
  const secret = newSigningSecret();
  return { id: await putSecret(client, workspaceId, destinationId, secret), secret };
}

/** Makes one secret the only one that signs: the earlier ones were entered, or made, for another host. */
export async function replaceSecrets(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  destinationId: string,
  secret: string,
): Promise<void> {
  await client.query(`UPDATE destination_secrets SET valid_until = now() WHERE destination_id = $1 AND ${SIGNS}`, [destinationId]);
  await putSecret(client, workspaceId, destinationId, secret);
}

async function putSecret(client: pg.PoolClient, workspaceId: WorkspaceId, destinationId: string, secret: string): Promise<string> {
  const id = newId("dsec");
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await prisma(client).destinationSecret.createMany({ data: { id, workspaceId, destinationId, sealed, keyId } });
  return id;
}

export async function deleteSecretsOfLostKeys(keyIds: string[]): Promise<number> {
  return (await prisma().destinationSecret.deleteMany({ where: { keyId: { in: keyIds } } })).count;
}

const contextOf = (workspaceId: WorkspaceId, secretId: string) => ({
  workspaceId,
  table: "destination_secrets",
  row: secretId,
  field: "sealed",
});
