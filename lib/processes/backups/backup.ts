import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ageIdentity } from "#lib/backup/format/seal";
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
// `-- --identity [FILE]` gives the identity with which `age` opens stored backups.

const USAGE = `A file name is required: ${ownCommand("backup", "signalbox.backup")} (or s3:// for the store in BACKUP_S3_URL)`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { identity: { type: "boolean", default: false } } });
  const [given] = positionals;
  if (values.identity && positionals.length < 2) return giveIdentity(given);
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

/** Goes to a terminal or into a new file of its owner's alone: whoever has it opens every stored backup. */
async function giveIdentity(file: string | undefined): Promise<void> {
  const { keys } = storeNamed("s3://");
  const lines = ["# age --decrypt --identity THIS-FILE BACKUP | zstd --decompress --stdout"];
  for (const key of keys) lines.push(`# ${key.kid} of BACKUP_KEY`, await ageIdentity(key));
  const text = `${lines.join("\n")}\n`;
  if (file === undefined && !process.stdout.isTTY)
    throw new Error(
      `The identity opens every stored backup, so it is only shown on a terminal. Name a file for it: ${ownCommand("backup", "--identity FILE")}`,
    );
  if (file === undefined) process.stdout.write(text);
  else {
    writeIdentity(path.resolve(file), text);
    say(`  ${file}: readable by its owner only. Whoever has it opens every stored backup: keep it like BACKUP_KEY.`);
  }
}

function writeIdentity(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`${file} already exists. Choose another file, or move this one away.`);
  }
}

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
