import path from "node:path";
import { parseArgs } from "node:util";
import { resetEnv } from "#lib/config/env";
import { type Backup, makeBackup } from "#lib/flows/installation/backup/make-backup";
import { complain, say } from "#lib/processes/progress";
import { withInstallation } from "../supervisor/with-installation.ts";
import { rowsProgress } from "./rows-progress.ts";

// `npm run backup -- FILE`: writes everything that the database holds to a new
// file. It runs beside Signalbox, and starts the built-in database when that is
// not running; it is stopped again unless somebody uses it by then. Ctrl-C
// leaves no file.

const USAGE = "Name a file: npm run backup -- signalbox.backup";

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new Error(USAGE);
  const file = path.resolve(given);
  // It needs no secrets: what is sealed stays so.
  await withInstallation(
    async () => {
      const since = Date.now();
      const backup = await makeBackup(file, { signal: stopSignal(), onProgress: rowsProgress("rows") });
      tell(file, backup, Date.now() - since);
    },
    (url) => void (url && resetEnv({ DATABASE_URL: url })),
  );
}

function stopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort(new Error("Stopped. No file was written.")));
  return abort.signal;
}

function tell(file: string, { head, manifest, fileBytes }: Backup, ms: number): void {
  const events = manifest.tables.find(({ name }) => name === "events")?.rows ?? 0;
  say(`  ${file}: ${(fileBytes / 1_000_000).toFixed(1)} MB in ${(ms / 1000).toFixed(1)} s, read again and checked`);
  say(`  ${manifest.rows} rows of ${manifest.tables.length} tables, ${events} events, log position ${head.logPosition ?? "none"}`);
  say(`  schema ${head.migrations.at(-1)}, sha256 ${manifest.sha256.slice(0, 16)}`);
  if (head.keyIds.length > 0)
    say(
      `\nThe vault's keys are not in it. Keep VAULT_KEYS (${head.keyIds.join(", ")}) and NEXTAUTH_SECRET apart from the backup, and safe.`,
    );
}

try {
  await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
