import { EnvError } from "#lib/config/env";
import { examineSchema } from "#lib/db/migrate";
import { onceAvailable } from "#lib/db/server/once-available";
import { assertFits } from "#lib/db/server/schema-fit";
import { logger } from "#lib/observability/logger";
import { complain } from "../progress.ts";

/** @throws EnvError on a database that is too new for this version */
export async function assertSchema(databaseUrl: string): Promise<void> {
  const warning = assertFits(await examineSchema(databaseUrl));
  if (warning !== null) logger().warn(warning);
}

/** Ends the process if the schema proves too new once the database, which was away at the start, answers. */
export async function refuseLater(stopping: AbortSignal, databaseUrl: string): Promise<void> {
  try {
    await onceAvailable(() => assertSchema(databaseUrl), { signal: stopping, onWait: () => undefined });
  } catch (error) {
    if (stopping.aborted || !(error instanceof EnvError)) return;
    complain(error.message);
    process.exit(1);
  }
}
