import path from "node:path";
import { parseArgs } from "node:util";
import { STORE_LIMITS } from "#lib/backup/object-store";
import { type BackupStore, resetEnv } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { formatStoreUrl } from "#lib/config/setting-formats";
import { countWords } from "#lib/contracts/format-count";
import { type Backup, fileName, makeBackup, storeBackup } from "#lib/flows/installation/backup/make-backup";
import { complain, rowsProgress, say } from "#lib/processes/progress";
import { withInstallation } from "../with-installation.ts";
import { inPrivateFolder, isInStore, storeNamed } from "./store-target.ts";

// `npm run backup -- FILE` writes the database to a new file, `-- s3://` (or s3://bucket/prefix) sealed to the store. It runs next to
// Signalbox; a built-in database that it started is stopped again unless somebody uses it by then. Ctrl-C leaves no file.

const USAGE = `A file name is required: ${ownCommand("backup", "signalbox.backup")} (or s3:// for the store in BACKUP_S3_URL)`;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) throw new Error(USAGE);
  const options = { signal: stopSignal(), onProgress: rowsProgress("rows") };
  const work = isInStore(given) ? toStore(storeNamed(given), options) : toFile(path.resolve(given), options);
  // Needs no secrets: what is sealed stays so.
  await withInstallation(work, (url) => void (url && resetEnv({ DATABASE_URL: url })));
}

type Options = Omit<Parameters<typeof makeBackup>[1], "now">;

const toFile = (file: string, options: Options) => async () => {
  const [now, since] = [new Date(), performance.now()];
  const backup = await makeBackup(file, { ...options, now });
  tell(file, backup, performance.now() - since);
};

const toStore = (store: BackupStore, options: Options) => () =>
  inPrivateFolder(async (folder) => {
    const [now, since] = [new Date(), performance.now()];
    const name = fileName(now);
    const file = path.join(folder, name);
    const backup = await makeBackup(file, { ...options, now });
    await storeBackup(store, file, { ...options, limits: STORE_LIMITS });
    tell(`${formatStoreUrl(store)}/${name}`, backup, performance.now() - since);
    say(`  sealed with the key ${store.keys[0]?.kid} of BACKUP_KEY. Workers never delete a backup that was made by hand.`);
  });

function stopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort(new Error("Stopped. No file was written.")));
  return abort.signal;
}

function tell(file: string, { head, manifest, fileBytes }: Backup, ms: number): void {
  const events = manifest.tables.find(({ name }) => name === "events")?.rows ?? 0;
  say(`  ${file}: ${(fileBytes / 1_000_000).toFixed(1)} MB in ${(ms / 1000).toFixed(1)} s, read back and verified`);
  say(
    `  ${countWords(manifest.rows, "row")} of ${countWords(manifest.tables.length, "table")}, ${countWords(events, "event")}, log position ${head.logPosition ?? "none"}`,
  );
  say(`  schema ${head.migrations.at(-1)}, sha256 ${manifest.sha256.slice(0, 16)}`);
  if (head.keyIds.length > 0)
    say(
      `\nThe vault's keys are not in it. Keep VAULT_KEYS (${head.keyIds.join(", ")}) and NEXTAUTH_SECRET in a safe place, apart from the backup.`,
    );
}

try {
  await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
