import { pool } from "#lib/db/pool";
import { readSource } from "#lib/ingest/source-lookup-store";

/**
 * The opened secrets of a source that verify now, newest first. For the
 * sandbox platform, which signs with one of them; nothing else needs a secret.
 *
 * @returns null when there is no such source, or it has none
 */
export async function readValidSecrets(sourceName: string): Promise<[string, ...string[]] | null> {
  const source = await readSource(pool("receiver"), sourceName);
  const [newest, ...others] = source?.secrets.map(({ value }) => value) ?? [];
  return newest === undefined ? null : [newest, ...others];
}
