import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { STORE_LIMITS, withObjectStore } from "#lib/backup/object-store";
import { type BackupSettings, type BackupStore, type Env, env, resetEnv } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { formatStoreUrl, PASSWORD_MAY_BE_READ } from "#lib/config/setting-formats";
import { countWords } from "#lib/contracts/format-count";
import { planConnections } from "#lib/db/connection-limits";
import { findDurability } from "#lib/db/database-health-store";
import { requireRights } from "#lib/db/database-rights";
import { findServerVersion, measureClockDifference, OLDEST_POSTGRES, requireSameDatabase, requireSessions } from "#lib/db/database-server";
import { examineSchema, listMissingMigrations } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { LEAST_CONNECTIONS } from "#lib/db/pool-sizes";
import { folderOf } from "#lib/flows/installation/backup/make-backup";
import { readBackupStatus } from "#lib/flows/installation/backup/read-backups";
import { SURVIVAL_WORDS } from "#lib/flows/installation/read-readiness";
import { isBuildFresh } from "#lib/installation/build";
import { dataFolderRefusal } from "#lib/installation/data-folder";
import { accountFor } from "#lib/installation/embedded/account";
import { clusterExists, locateCluster, moveInCommand } from "#lib/installation/embedded/cluster";
import { isServerRunning } from "#lib/installation/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { findSystemChromium, isPortFree } from "#lib/installation/machine";
import { dataDir, givenSecrets, postgresDirectory, ROOT, supervisorLock } from "#lib/installation/process-environment";
import { findLockHolder } from "#lib/installation/process-lock";
import { isOwnerOnly, missingSecrets, missingWords, SECRETS_FILE } from "#lib/installation/secrets-file";
import { findPlatformServer, isDiscovered, withoutQuery } from "#lib/platform/authorization-server";
import { systemClock } from "#lib/time/clock";
import { listOutdated } from "#lib/views/base-store";
import { say } from "./progress.ts";

// `npm run doctor`: checks everything that a start needs, and changes nothing.

type CheckResult = { state: "ok" | "attention" | "failed"; words: string };
type Examination = { name: string; examine: () => Promise<CheckResult> };

const ok = (words: string): CheckResult => ({ state: "ok", words });
const attention = (words: string): CheckResult => ({ state: "attention", words });
const failed = (words: string): CheckResult => ({ state: "failed", words });

const OLDEST_NODE = 24;
/** A start has no room for its database below this. */
const NO_SPACE_BYTES = 64 * 1024 ** 2;
const LITTLE_SPACE_BYTES = 2 * 1024 ** 3;

const CLOCKS_APART_MS = 5000;

const EXAMINATIONS: Examination[] = [
  { name: "Node", examine: examineNode },
  { name: "environment", examine: examineEnvironment },
  { name: "platform", examine: examinePlatform },
  { name: "data", examine: examineData },
  { name: "secrets", examine: examineSecrets },
  { name: "database", examine: examineDatabase },
  { name: "clocks", examine: examineClocks },
  {
    name: "build",
    examine: async () =>
      isBuildFresh(ROOT) ? ok("up to date") : attention(`missing or out of date: the next ${ownCommand("start")} builds it`),
  },
  { name: "durability", examine: examineDurability },
  { name: "records", examine: examineRecords },
  { name: "backups", examine: examineBackups },
  { name: "mail", examine: examineMail },
  { name: "port", examine: examinePort },
  { name: "Chromium", examine: examineChromium },
];

async function examineNode(): Promise<CheckResult> {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= OLDEST_NODE) return ok(process.versions.node);
  return failed(`${process.versions.node}; ${OLDEST_NODE} is required. Run it as ${ownCommand("doctor")}: the packages include Node.`);
}

async function examineEnvironment(): Promise<CheckResult> {
  return ok(env().APP_URL);
}

/** Reads metadata where that is to name the addresses, and sends nothing else. */
async function examinePlatform(): Promise<CheckResult> {
  const { platform, platformMissing, sandboxOn, PLATFORM_ISSUER } = env();
  if (platform.isSandbox && sandboxOn) return ok("the sandbox");
  if (platformMissing.length > 0) return attention(`not configured: set ${platformMissing.join(", ")}`);
  const { authorizeUrl, tokenEndpoint, refreshUrl, tokenAuth, tokenBody, pkce, revocationUrl } = await findPlatformServer();
  const words = [
    `authorization at ${withoutQuery(authorizeUrl)}`,
    `tokens at ${withoutQuery(tokenEndpoint)} (${tokenBody}, client in ${tokenAuth === "basic" ? "HTTP Basic" : "the body"}, PKCE ${pkce})`,
    refreshUrl !== tokenEndpoint && `refresh at ${withoutQuery(refreshUrl)}`,
    revocationUrl ? `revocation at ${withoutQuery(revocationUrl)}` : "no revocation",
    isDiscovered() && `by the metadata of ${PLATFORM_ISSUER}`,
  ];
  return ok(words.filter(Boolean).join(", "));
}

async function examineData(): Promise<CheckResult> {
  const folder = dataDir();
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    return failed(dataFolderRefusal(error) ?? `DATA_DIR (${folder}) can't be used: ${(error as Error).message}`);
  }
  const moveIn = env().DATABASE_URL ? null : examinePlace();
  const { bavail, bsize } = statfsSync(moveIn?.directory ?? folder);
  const gigabytes = ((bavail * bsize) / 1024 ** 3).toFixed(1);
  if (bavail * bsize < NO_SPACE_BYTES)
    return failed(`${folder}: the disk is full, ${gigabytes} GB left. Free up space: a new database takes 60 MB.`);
  if (bavail * bsize < LITTLE_SPACE_BYTES)
    return attention(`${folder}: ${gigabytes} GB left. Free up space: a full disk stops Signalbox from storing events.`);
  if (moveIn)
    return attention(
      `the database lies outside ${folder}, in ${moveIn.directory}: a copy of ${folder} is no copy of it. Move it in while Signalbox is stopped: ${moveIn.command}`,
    );
  return ok(`${folder}, ${gigabytes} GB free`);
}

/** Returns the place of a database outside DATA_DIR and the command that moves it in. @throws Error if it can't run there */
function examinePlace(): { directory: string; command: string } | null {
  const place = locateCluster(postgresDirectory());
  if (clusterExists(place)) accountFor(place.directory, { isNew: false });
  const command = moveInCommand(place);
  return command === null ? null : { directory: place.directory, command };
}

async function examineSecrets(): Promise<CheckResult> {
  const file = path.join(dataDir(), SECRETS_FILE);
  const given: Env = env();
  if (given.DATABASE_URL && !(given.NEXTAUTH_SECRET && given.VAULT_KEYS))
    return failed("NEXTAUTH_SECRET and VAULT_KEYS are required with DATABASE_URL. Set both.");
  if (given.DATABASE_URL) return ok("from the environment");
  const missing = missingSecrets(dataDir(), givenSecrets());
  if (missing.length > 0 && clusterExists(locateCluster(postgresDirectory()))) return failed(missingWords(file, missing));
  if (!existsSync(file)) return attention(`not created yet: the first ${ownCommand("start")} creates them`);
  if (!isOwnerOnly(file))
    return attention(`other accounts can read ${file}. The next ${ownCommand("start")} restricts it; or run: chmod 600 ${file}`);
  return ok(file);
}

async function examineDatabase(): Promise<CheckResult> {
  const url = await findDatabaseUrl();
  if (!url) return attention(`the built-in one is not running: ${ownCommand("start")} starts it`);
  try {
    const version = await findServerVersion(url);
    if (version < OLDEST_POSTGRES) return failed(`PostgreSQL ${version}; ${OLDEST_POSTGRES} or newer is required.`);
    await requireSessions(url);
    if (env().DATABASE_URL) await requireSameDatabase(url, env().directUrl);
    await requireRights(url);
    const fit = await examineSchema(url);
    if (fit.outcome !== "known") return (fit.outcome === "newer" ? attention : failed)(`PostgreSQL ${version}. ${fit.words}`);
    const missing = await listMissingMigrations(url);
    if (missing.length > 0) return attention(`PostgreSQL ${version}; ${ownCommand("start")} applies ${missing.join(", ")}`);
    const { DATABASE_POOL: chosen } = env();
    // A machine may run web processes alone, which need fewer.
    const isWebAlone = chosen !== undefined && chosen < LEAST_CONNECTIONS.worker;
    const connections = await planConnections(url, isWebAlone ? ["web"] : ["web", "worker"], chosen !== undefined);
    if (connections.outcome !== "fits")
      return (connections.outcome === "shrunk" ? attention : failed)(`PostgreSQL ${version}. ${connections.words}`);
    return ok(`PostgreSQL ${version}, migrations up to date`);
  } catch (error) {
    const { message } = error as Error;
    // A sentence says itself what to do.
    return failed(message.endsWith(".") ? message : `${message}. Check that it is running and that DATABASE_URL is correct.`);
  }
}

async function examineMail(): Promise<CheckResult> {
  const { mail } = env();
  if (!mail) return ok("not set up: alerts can't be sent by email");
  return mail.mayBeRead ? attention(PASSWORD_MAY_BE_READ) : ok(`from ${mail.from}`);
}

/** Compares clocks: events carry this machine's time; leases, retries and heartbeats the database's. */
async function examineClocks(): Promise<CheckResult> {
  const url = await findDatabaseUrl();
  if (!url) return attention("can't be compared: the database is not running");
  const aheadMs = await measureClockDifference(url, systemClock);
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  if (Math.abs(aheadMs) <= CLOCKS_APART_MS) return ok(`this machine's and the database's are ${seconds} s apart`);
  return attention(
    `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's: the times of events are off by that much. Synchronize both with NTP.`,
  );
}

async function examineDurability(): Promise<CheckResult> {
  const address = await findDatabaseUrl();
  if (!address) return attention("can't be read: the database is not running");
  resetEnv({ DATABASE_URL: address });
  const survives = await findDurability().finally(closePools);
  const words = `acknowledged events ${SURVIVAL_WORDS[survives]}`;
  if (survives === "process" || survives === "nothing_new") return failed(words);
  return survives === "restart_standby" ? attention(`${words}. Set synchronous_standby_names.`) : ok(words);
}

async function examineRecords(): Promise<CheckResult> {
  const address = await findDatabaseUrl();
  if (!address) return attention("can't be read: the database is not running");
  resetEnv({ DATABASE_URL: address });
  const outdated = await listOutdated(pool())
    .catch(() => null)
    .finally(closePools);
  if (outdated === null) return attention(`can't be read: the next ${ownCommand("start")} updates the database`);
  if (outdated.length === 0) return ok("made by this version");
  return attention(
    `of ${countWords(outdated.length, "workspace")} were made by an earlier version. A worker rebuilds them: see Settings > Records.`,
  );
}

async function examineBackups(): Promise<CheckResult> {
  const { backup } = env();
  if (!backup)
    return attention(`not scheduled: set BACKUP_DIR or BACKUP_S3_URL, or run ${ownCommand("backup")} from a scheduler of your own`);
  const { folder } = folderOf(backup);
  if (!isWritable(folder))
    return failed(
      `${backup.dir === null ? "DATA_DIR" : "BACKUP_DIR"} (${folder}) can't be written. Make it writable for the account that runs Signalbox.`,
    );
  const store = backup.store && (await examineStore(backup.store));
  if (store) return failed(store);
  const address = await findDatabaseUrl();
  if (!address) return attention("can't be read: the database is not running");
  resetEnv({ DATABASE_URL: address });
  const { lastGoodAt, overdue, missing } = await readBackupStatus().finally(closePools);
  if (overdue)
    return failed(
      `overdue: ${lastGoodAt ? `the last good one was made ${lastGoodAt}` : "there is none yet"}. Check a worker's log, and that it can write to ${placesOf(backup)}.`,
    );
  if (missing > 0)
    return failed(
      `${missing} of the kept backups are no longer in BACKUP_DIR (${folder}). Is its volume mounted? Bring the files back with the folder's .signalbox-backups.`,
    );
  return ok(lastGoodAt ? `the last good one was made ${lastGoodAt}` : "scheduled, none made yet");
}

const placesOf = ({ dir, store }: BackupSettings) => [dir && "BACKUP_DIR", store && "BACKUP_S3_URL"].filter(Boolean).join(" and ");

/** True also for a missing folder in a writable parent: the first backup makes it. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder) && path.dirname(folder) !== folder) return isWritable(path.dirname(folder));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

async function findDatabaseUrl(): Promise<string | null> {
  const { DATABASE_URL } = env();
  if (DATABASE_URL) return DATABASE_URL;
  if (!isServerRunning(locateCluster(postgresDirectory()).directory)) return null;
  const { url } = await startEmbeddedPostgres({ directory: postgresDirectory() });
  return url;
}

async function examinePort(): Promise<CheckResult> {
  const { PORT } = env();
  const running = findLockHolder(supervisorLock());
  if (running) return ok(`Signalbox is running, process ${running.pid}, ${running.note}`);
  if (await isPortFree(PORT)) return ok(`${PORT} is free`);
  return failed(`${PORT} is in use by another program. Stop it, or set PORT.`);
}

async function examineChromium(): Promise<CheckResult> {
  const found = findSystemChromium();
  return found ? ok(found) : attention("none found: npm test looks in more places and installs one if it can");
}

const MARKS = { ok: "✓ ok       ", attention: "! attention", failed: "✗ failed   " };

let worst = 0;
for (const { name, examine } of EXAMINATIONS) {
  const { state, words } = await examine().catch((error: Error) => failed(error.message));
  if (state === "failed") worst = 1;
  say(`${MARKS[state]}  ${name.padEnd(12)} ${words}`);
  // The rest depends on it and would only repeat it.
  if (name === "environment" && state === "failed") break;
}
process.exitCode = worst;

const SILENCE_MS = 10_000;

/** Returns why the store can't be reached or read; null if it can. */
async function examineStore(settings: BackupStore): Promise<string | null> {
  const limits = { ...STORE_LIMITS, silenceMs: SILENCE_MS, attempts: 1 };
  return withObjectStore(settings, limits, (store) => store.list()).then(
    () => null,
    (error: Error) => `${formatStoreUrl(settings)}: ${error.message}`,
  );
}
