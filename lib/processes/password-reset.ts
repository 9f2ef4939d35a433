import { parseArgs } from "node:util";
import { env } from "#lib/config/env";
import { closePools } from "#lib/db/pool";
import { resetForgottenPassword } from "#lib/flows/members/reset-password";
import { postgresDirectory } from "#lib/installation/data-files";
import { startDatabase } from "#lib/installation/database";
import { locateCluster } from "#lib/installation/embedded/cluster";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { completeEnvironment } from "#lib/installation/process-environment";
import { complain, say } from "./progress.ts";

// `npm run password:reset -- ada@example.com`: a new random password for an
// account, printed once. It may run beside Signalbox.

async function main(): Promise<number> {
  const [email] = parseArgs({ allowPositionals: true }).positionals;
  if (email === undefined) {
    complain("Whose password? Run it with the account's e-mail address: npm run password:reset -- ada@example.com");
    return 2;
  }
  const wasRunning = Boolean(env().DATABASE_URL) || isServerRunning(locateCluster(postgresDirectory()).directory);
  const database = await startDatabase();
  try {
    completeEnvironment("production", database?.url);
    const reset = await resetForgottenPassword(email);
    say(`The new password of ${reset.email}, shown once: ${reset.password}`);
    say(`Sessions ended: ${reset.sessionsEnded}. Sign in with it and change it under Settings > Account.`);
    return 0;
  } finally {
    await closePools();
    if (!wasRunning) await database?.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
