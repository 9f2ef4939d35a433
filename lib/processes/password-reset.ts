import { parseArgs } from "node:util";
import { ownCommand } from "#lib/config/product";
import { resetForgottenPassword } from "#lib/flows/members/manage-account";
import { complain, say } from "./progress.ts";
import { withInstallation } from "./with-installation.ts";

// `npm run password:reset -- ada@example.com` prints a new random password once. Second factors stay without `--remove-factors`.

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { "remove-factors": { type: "boolean", default: false } } });
  const [email] = positionals;
  const removeFactors = values["remove-factors"];
  if (email === undefined) {
    complain(`An email address is required: ${ownCommand("password:reset", "ada@example.com")}`);
    return 2;
  }
  const reset = await withInstallation(() => resetForgottenPassword(email, removeFactors));
  say(`The new password of ${reset.email}, shown once: ${reset.password}`);
  say(`Sessions ended: ${reset.sessionsEnded}. Sign in with this password, then change it under Settings > Your account.`);
  if (removeFactors) say(`Second factors removed: ${reset.factorsRemoved}.`);
  else say("Second factors are unchanged. If they are lost, run this again with --remove-factors.");
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
