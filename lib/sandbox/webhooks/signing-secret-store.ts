import { env } from "#lib/config/env";
import { newId } from "#lib/contracts/api/ids";
import { type PoolName, pool } from "#lib/db/pool";
import { open, type SealContext, seal } from "#lib/vault/vault";

/** What the platform signs with now, and what it signed with before the last change (null when there was none). */
export type SigningSecrets = { current: string; before: string | null };

/** The platform is no workspace of ours; what it seals stands under this name. */
const OWNER = "sandbox";

const placeOf = (id: string): SealContext => ({ workspaceId: OWNER, table: "sandbox_signing_secrets", row: id, field: "sealed" });

/** @returns null while the platform has no secret at all: then it sends nothing */
export async function readSigningSecrets(from: PoolName = "worker"): Promise<SigningSecrets | null> {
  const { rows } = await pool(from).query<{ id: string; sealed: string }>(
    "SELECT id, sealed FROM sandbox_signing_secrets ORDER BY created_at DESC, id DESC LIMIT 2",
  );
  const given = await Promise.all(rows.map(({ id, sealed }) => open(sealed, placeOf(id))));
  const [current, before] = [...given, env().WEBHOOK_SECRET].filter((secret) => secret !== undefined);
  return current === undefined ? null : { current, before: before ?? null };
}

/** One row whoever writes it: workers that start together must not make two of the same secret. */
const FIRST = "sec_sandbox_first";

/** The platform signs with this one, unless another was set before. */
export async function saveFirstSigningSecret(secret: string): Promise<void> {
  const { sealed, keyId } = await seal(secret, placeOf(FIRST));
  await pool("worker").query(
    `INSERT INTO sandbox_signing_secrets (id, workspace_id, sealed, key_id)
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM sandbox_signing_secrets) ON CONFLICT (id) DO NOTHING`,
    [FIRST, OWNER, sealed, keyId],
  );
}

/** From now on the platform signs with this one. The two newest are kept. */
export async function saveSigningSecret(secret: string): Promise<void> {
  const id = newId("sec");
  const { sealed, keyId } = await seal(secret, placeOf(id));
  await pool().query("INSERT INTO sandbox_signing_secrets (id, workspace_id, sealed, key_id) VALUES ($1, $2, $3, $4)", [
    id,
    OWNER,
    sealed,
    keyId,
  ]);
  await pool().query(
    "DELETE FROM sandbox_signing_secrets WHERE id NOT IN (SELECT id FROM sandbox_signing_secrets ORDER BY created_at DESC, id DESC LIMIT 2)",
  );
}
