import { parseArgs } from "node:util";
import { resetForgottenPassword } from "#lib/flows/members/reset-password";
import { complain, say } from "./progress.ts";
import { withInstallation } from "./supervisor/with-installation.ts";

// `npm run password:reset -- ada@example.com`: a new random password for an
// account, printed once. It may run beside Signalbox.

async function main(): Promise<number> {
  const [email] = parseArgs({ allowPositionals: true }).positionals;
  if (email === undefined) {
    complain("Whose password? Run it with the account's email address: npm run password:reset -- ada@example.com");
    return 2;
  }
  const reset = await withInstallation(() => resetForgottenPassword(email));
  say(`The new password of ${reset.email}, shown once: ${reset.password}`);
  say(`Sessions ended: ${reset.sessionsEnded}. Sign in with it and change it under Settings > Account.`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
