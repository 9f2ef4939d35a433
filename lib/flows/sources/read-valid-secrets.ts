import { pool } from "#lib/db/pool";
import { readSource } from "#lib/ingest/source-lookup-store";

/** Returns the opened secrets that verify now, newest first, for the sandbox platform alone. Null without a source or a secret. */
export async function readValidSecrets(sourceName: string): Promise<[string, ...string[]] | null> {
  const source = await readSource(pool("receiver"), sourceName);
  const [newest, ...others] = source?.secrets.map(({ value }) => value) ?? [];
  return newest === undefined ? null : [newest, ...others];
}
