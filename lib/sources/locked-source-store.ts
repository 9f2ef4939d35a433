import { pool } from "#lib/db/pool";
import { hasKey } from "#lib/vault/key-ring";

/** Sources none of whose valid signing secrets can be opened here, and the keys that they are sealed with. */
export type LockedSource = { name: string; keyIds: string[] };

/**
 * The sources whose webhooks can't be verified: every valid secret is sealed with a key that the ring lacks.
 *
 * @throws VaultError `no_key` while VAULT_KEYS is not set
 */
export async function listLockedSources(): Promise<LockedSource[]> {
  const { rows } = await pool().query<LockedSource>(
    `SELECT s.name, array_agg(DISTINCT x.key_id ORDER BY x.key_id) AS "keyIds" FROM sources s
       JOIN source_secrets x ON x.source_id = s.id AND (x.valid_until IS NULL OR x.valid_until > now()) GROUP BY s.id ORDER BY s.name`,
  );
  return rows.filter(({ keyIds }) => !keyIds.some(hasKey));
}
