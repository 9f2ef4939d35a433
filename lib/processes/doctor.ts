import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import path from "node:path";
import { isBuildFresh } from "#lib/config/build-freshness";
import { type Env, env } from "#lib/config/env";
import { isOwnerOnly, readSecrets, SECRETS_FILE } from "#lib/config/local-secrets";
import { dataDir, ROOT } from "#lib/config/process-environment";
import { findLockHolder } from "#lib/config/process-lock";
import { clusterExists, locateCluster } from "#lib/db/embedded/cluster";
import { isServerRunning } from "#lib/db/embedded/postmaster";
import { startEmbeddedPostgres } from "#lib/db/embedded-postgres";
import { listMissingMigrations } from "#lib/db/migrate";
import { findServerVersion, OLDEST_POSTGRES } from "#lib/db/server-version";
import { findSystemChromium } from "./chromium.ts";
import { postgresDirectory, supervisorLock } from "./data-files.ts";
import { isPortFree } from "./port.ts";
import { say } from "./progress.ts";

// `npm run doctor`: looks at everything that a start needs and says what to
// mend. It changes nothing.

type Finding = { state: "ok" | "attention" | "failed"; words: string };
type Examination = { name: string; examine: () => Promise<Finding> };

const ok = (words: string): Finding => ({ state: "ok", words });
const attention = (words: string): Finding => ({ state: "attention", words });
const failed = (words: string): Finding => ({ state: "failed", words });

const OLDEST_NODE = 24;
const LITTLE_SPACE_BYTES = 2 * 1024 ** 3;

const EXAMINATIONS: Examination[] = [
  { name: "Node", examine: examineNode },
  { name: "environment", examine: examineEnvironment },
  { name: "data", examine: examineData },
  { name: "secrets", examine: examineSecrets },
  { name: "database", examine: examineDatabase },
  {
    name: "build",
    examine: async () => (isBuildFresh(ROOT) ? ok("up to date") : attention("missing or stale: the next npm start makes it")),
  },
  { name: "port", examine: examinePort },
  { name: "Chromium", examine: examineChromium },
];

async function examineNode(): Promise<Finding> {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= OLDEST_NODE) return ok(process.versions.node);
  return failed(
    `${process.versions.node}; ${OLDEST_NODE} is needed. Run it as npm run doctor, after npm ci: Node comes with the packages.`,
  );
}

async function examineEnvironment(): Promise<Finding> {
  const { APP_URL, sandboxOn, platform } = env();
  return ok(`${APP_URL}, ${sandboxOn ? "with the sandbox platform" : `platform at ${platform.authUrl}`}`);
}

async function examineData(): Promise<Finding> {
  const folder = dataDir();
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch {
    return failed(`${folder} can't be written to. Give it to the account that runs Signalbox, or set DATA_DIR.`);
  }
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = ((bavail * bsize) / 1024 ** 3).toFixed(1);
  if (bavail * bsize < LITTLE_SPACE_BYTES) return attention(`${folder}: ${gigabytes} GB are left. Make room; a full disk stops the log.`);
  return ok(`${folder}, ${gigabytes} GB free`);
}

async function examineSecrets(): Promise<Finding> {
  const file = path.join(dataDir(), SECRETS_FILE);
  const given: Env = env();
  if (given.DATABASE_URL && !(given.NEXTAUTH_SECRET && given.VAULT_KEYS))
    return failed("NEXTAUTH_SECRET and VAULT_KEYS are needed beside DATABASE_URL. Set both.");
  if (!existsSync(file)) return given.DATABASE_URL ? ok("from the environment") : attention("not made yet: the first npm start makes them");
  if (!isOwnerOnly(file)) return attention(`others may read ${file}. The next npm start closes it; or run: chmod 600 ${file}`);
  if (!given.DATABASE_URL && !given.VAULT_KEYS && !readSecrets(file).VAULT_KEYS && clusterExists(locateCluster(postgresDirectory())))
    return failed(`${file} lacks VAULT_KEYS, and there is data sealed with them. Put them back from your copy before the next start.`);
  return ok(file);
}

async function examineDatabase(): Promise<Finding> {
  const address = await findDatabaseUrl();
  if (!address) return attention("the built-in one does not run now: npm start starts it");
  try {
    const version = await findServerVersion(address);
    if (version < OLDEST_POSTGRES) return failed(`PostgreSQL ${version}; ${OLDEST_POSTGRES} or newer is needed.`);
    const missing = await listMissingMigrations(address);
    if (missing.length > 0) return attention(`PostgreSQL ${version}; npm start applies ${missing.join(", ")}`);
    return ok(`PostgreSQL ${version}, migrations up to date`);
  } catch (error) {
    return failed(`${(error as Error).message}. See that it runs and that DATABASE_URL is right.`);
  }
}

async function findDatabaseUrl(): Promise<string | null> {
  const { DATABASE_URL } = env();
  if (DATABASE_URL) return DATABASE_URL;
  if (!isServerRunning(locateCluster(postgresDirectory()).directory)) return null;
  const { url } = await startEmbeddedPostgres({ directory: postgresDirectory() });
  return url;
}

async function examinePort(): Promise<Finding> {
  const { PORT } = env();
  const running = findLockHolder(supervisorLock());
  if (running) return ok(`${PORT}: Signalbox runs, process ${running.pid}, ${running.note}`);
  if (await isPortFree(PORT)) return ok(`${PORT} is free`);
  return failed(`${PORT} is taken by another program. Stop that, or set PORT.`);
}

async function examineChromium(): Promise<Finding> {
  const found = findSystemChromium();
  return found ? ok(found) : attention("none found: npm test looks further, and installs one where it may");
}

const MARKS = { ok: "✓ ok       ", attention: "! attention", failed: "✗ failed   " };

let worst = 0;
for (const { name, examine } of EXAMINATIONS) {
  const { state, words } = await examine().catch((error: Error) => failed(error.message));
  if (state === "failed") worst = 1;
  say(`${MARKS[state]}  ${name.padEnd(12)} ${words}`);
  // The rest depends on it and would only say the same again.
  if (name === "environment" && state === "failed") break;
}
process.exitCode = worst;
