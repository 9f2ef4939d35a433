import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { FOLD_VERSION } from "#lib/views/definitions";

/** An update that makes records otherwise asks for their rebuild within five minutes. Milliseconds. */
const LIMIT_MS = 420_000;

/** Waits until this release has made the records of every workspace. @returns milliseconds; after the limit, too */
export async function untilRebuilt(databaseUrl: string): Promise<number> {
  const started = performance.now();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isOutdated = async () => (await client.query("SELECT 1 FROM view_folds WHERE fold < $1", [FOLD_VERSION])).rowCount !== 0;
  while ((await isOutdated()) && performance.now() - started < LIMIT_MS) await sleep(500);
  await client.end();
  return performance.now() - started;
}
