import { newId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { open, seal } from "#lib/vault/vault";

/** Number of secrets that verify: one for each destination that leads here, and those of a rotation. */
const KEPT = 5;

/** Takes one more secret to verify with. */
export async function insertReceiverSecret(workspaceId: string, receiverId: string, secret: string): Promise<void> {
  const id = newId("rsec");
  const { sealed, keyId } = await seal(secret, contextOf(workspaceId, id));
  await pool().query("INSERT INTO sandbox_receiver_secrets (id, workspace_id, receiver_id, sealed, key_id) VALUES ($1, $2, $3, $4, $5)", [
    ...[id, workspaceId, receiverId, sealed, keyId],
  ]);
  await pool().query(
    `DELETE FROM sandbox_receiver_secrets WHERE receiver_id = $1 AND id NOT IN (
       SELECT id FROM sandbox_receiver_secrets WHERE receiver_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${KEPT})`,
    [receiverId],
  );
}

/** The opened secrets that it verifies with, newest first. */
export async function openReceiverSecrets(workspaceId: string, receiverId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string; sealed: string }>(
    "SELECT id, sealed FROM sandbox_receiver_secrets WHERE receiver_id = $1 ORDER BY created_at DESC, id DESC",
    [receiverId],
  );
  return Promise.all(rows.map(({ id, sealed }) => open(sealed, contextOf(workspaceId, id))));
}

const contextOf = (workspaceId: string, id: string) => ({ workspaceId, table: "sandbox_receiver_secrets", row: id, field: "sealed" });
