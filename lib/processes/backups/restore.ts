import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { BackupError, type BackupHead } from "#lib/backup/format/backup-file";
import { env } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { countWords } from "#lib/contracts/format-count";
import { closePools } from "#lib/db/pool";
import { adoptDatabase, compareRestored, examineBackup, restoreBackup } from "#lib/flows/installation/backup/restore-backup";
import { checkVault } from "#lib/flows/vault/vault-keys";
import { requireDataFolder } from "#lib/installation/data-folder";
import { describeDatabase, startDatabase } from "#lib/installation/database";
import { completeEnvironment, dataDir, supervisorLock } from "#lib/installation/process-environment";
import { takeLock } from "#lib/installation/process-lock";
import { readSecrets, SECRETS_FILE } from "#lib/installation/secrets-file";
import { complain, rowsProgress, say } from "#lib/processes/progress";
import { listStore, withBackupFile } from "./restore-source.ts";

// `npm run restore -- FILE` (sealed or not) or `-- s3://bucket/prefix/NAME` fills an empty database. `--check` only reads, `--list` lists
// backups, `--point-in-time` adopts a database that the server's own recovery brought back. Ctrl-C leaves no row until "restored" shows.

const USAGE = `A file name is required: ${ownCommand("restore", "signalbox.backup")} (--check only reads it and checks its hashes; --list lists those in the store)`;

type Options = { signal: AbortSignal; onProgress: ReturnType<typeof rowsProgress> };

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      "point-in-time": { type: "boolean", default: false },
      "without-keys": { type: "boolean", default: false },
    },
  });
  const [given] = positionals;
  if (values.list && positionals.length < 2) return listStore(given);
  requireDataFolder();
  if (values["point-in-time"] && given === undefined) return withData((url, signal) => adopt(url, signal), stopSignal());
  if (given === undefined || positionals.length > 1) throw new Error(USAGE);
  const options = { signal: stopSignal(), onProgress: rowsProgress("rows") };
  return withBackupFile(given, options.signal, (file, name) => examineAndRestore({ file, name }, values, options));
}

async function examineAndRestore(
  { file, name }: { file: string; name: string },
  values: { check: boolean; "without-keys": boolean },
  options: Options,
): Promise<number> {
  const examined = await examineBackup(file, options);
  const { head, manifest } = examined;
  say(
    `  ${name}: made ${head.createdAt} by Signalbox ${head.version}, ${countWords(manifest.rows, "row")} of ${countWords(manifest.tables.length, "table")}, complete`,
  );
  if (values.check) return 0;
  if (!values["without-keys"]) requireKeys(head);
  return withData(async (databaseUrl, signal) => {
    await restoreBackup(databaseUrl, file, examined, options);
    say("  restored; every table was read back and matches the backup");
    return Math.max(await tellKeys(), await tellRecords(signal));
  }, options.signal);
}

/** Does the rest of a restore after a point-in-time recovery, which brings back only the rows. */
async function adopt(databaseUrl: string, signal: AbortSignal): Promise<number> {
  await adoptDatabase(databaseUrl, signal);
  say("  the log's clock was raised; operations that were running at that moment are stopped");
  return Math.max(await tellKeys(), await tellRecords(signal));
}

/** Runs `work` while no Signalbox can start on the same data. */
async function withData(work: (databaseUrl: string, signal: AbortSignal) => Promise<number>, signal: AbortSignal): Promise<number> {
  const release = holdData();
  try {
    const database = await startDatabase();
    try {
      say(`  into: ${describeDatabase(database)}`);
      completeEnvironment("production", database?.url);
      return await work(env().DATABASE_URL ?? "", signal);
    } finally {
      await closePools();
      await database?.stop();
    }
  } finally {
    release();
  }
}

/** @throws BackupError without the keys of the installation that made the backup */
function requireKeys({ keyIds }: BackupHead): void {
  const { DATABASE_URL, VAULT_KEYS } = env();
  const file = path.join(dataDir(), SECRETS_FILE);
  const ring = VAULT_KEYS ?? (DATABASE_URL || !existsSync(file) ? undefined : readSecrets(file).VAULT_KEYS);
  const names = ring?.split(",").map((entry) => entry.trim().split(":")[0]) ?? [];
  const missing = keyIds.filter((id) => !names.includes(id));
  if (missing.length === 0) return;
  throw new BackupError(
    `The secrets in this backup are encrypted with the key ${missing.join(", ")} of VAULT_KEYS, which is not set here. Nothing was changed.\nSet VAULT_KEYS and NEXTAUTH_SECRET of the installation that made it${DATABASE_URL ? "" : `, or copy its secrets.env to ${file}`}.\nIf the key is permanently lost, --without-keys restores the rest; connections then have to be reconnected.`,
  );
}

function holdData(): () => void {
  const taken = takeLock(supervisorLock(), "restoring a backup");
  if (taken.outcome === "locked") return taken.release;
  throw new BackupError(`Signalbox is running on this data (process ${taken.holder.pid}). Nothing was changed. Stop it first.`);
}

async function tellKeys(): Promise<number> {
  const check = await checkVault(new Date());
  if (check.outcome === "fits") say("  the stored secrets can be decrypted with VAULT_KEYS");
  else
    say(
      `  ! not all stored secrets can be decrypted: the key ${check.keyIds.join(", ")} is missing or different. Correct VAULT_KEYS before you start Signalbox.`,
    );
  return check.outcome === "fits" ? 0 : 1;
}

async function tellRecords(signal: AbortSignal): Promise<number> {
  let code = 0;
  for (const { name, report } of await compareRestored({ signal, onProgress: rowsProgress("events") })) {
    const wrong = report ? report.missing + report.surplus + report.different : null;
    if (wrong === 0) say(`  ${name}: ${countWords(report?.events ?? 0, "event")} replayed, the records match the log exactly`);
    else
      say(
        `  ! ${name}: ${wrong === null ? "not compared" : `${countWords(wrong, "record differs", "records differ")} from the log. Run: ${ownCommand("views:rebuild")}`}`,
      );
    if (wrong !== 0) code = 1;
  }
  return code;
}

function stopSignal(): AbortSignal {
  const abort = new AbortController();
  // The restore fails with this only before its commit.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => abort.abort(new BackupError("Stopped. No row was restored.")));
  return abort.signal;
}

try {
  process.exitCode = await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
