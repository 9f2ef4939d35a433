import path from "node:path";
import { parseArgs } from "node:util";
import { EnvError, env, misspeltSettings } from "#lib/config/env";
import { ownCommand } from "#lib/config/product";
import { PASSWORD_MAY_BE_READ } from "#lib/config/setting-formats";
import { formatNumber } from "#lib/contracts/format-count";
import { assertFits, examineSchema, migrate } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import type { ProcessKind } from "#lib/db/pool-sizes";
import { dataFolderRefusal } from "#lib/installation/data-folder";
import { describeDatabase, startDatabase, watchDatabase } from "#lib/installation/database";
import { saysDiskFull } from "#lib/installation/embedded/programs";
import type { EmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { isPortFree } from "#lib/installation/machine";
import { completeEnvironment, dataDir, productVersion, supervisorLock } from "#lib/installation/process-environment";
import { takeLock } from "#lib/installation/process-lock";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { codeOf } from "#lib/observability/logger";
import { inTime } from "#lib/time/waits";
import { Child } from "./child.ts";
import { connectionsOption, planAtStart } from "./database-checks.ts";
import { watchStarter } from "./lifetime.ts";
import { complain, say, speakInLogLines, step, type Tell, warn } from "./progress.ts";
import { buildPages, pageAnswers, withDatabase } from "./start-waits.ts";

const FULL = ["ENOSPC", "EDQUOT"];

/** Returns why a start failed. Faults of DATA_DIR's disk come with what to do. */
function startFailureWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (FULL.includes(code) || saysDiskFull(words))
    return `The disk of DATA_DIR (${dataDir()}) is full. Nothing is lost: free some space and start again. A new database takes 60 MB.\n\n${words}`;
  const refused = dataFolderRefusal(error);
  return refused === null ? words : `${refused}\n\n${words}`;
}

// `npm start` and, with --dev, `npm run dev`: prepares what is missing, then supervises the web process and the worker.
// `--only web` or `--only worker` starts one of the two, `--only migrate` neither.

/** A step under way at the stop is waited for this long, so that what it begins is ended too. */
const STEP_LIMIT_MS = 7000;

speakInLogLines();

const { values: options } = parseArgs({ options: { dev: { type: "boolean", default: false }, only: { type: "string", default: "all" } } });
const mode = options.dev ? "development" : "production";
const ROLES = ["all", "web", "worker", "migrate"];
/** Several processes start on one database, and one link is enough. */
const LINKS: Record<string, "first" | "none"> = { web: "first", worker: "none" };
const KINDS: ProcessKind[] = ["web", "worker"];
const runs = (kind: ProcessKind) => options.only === "all" || options.only === kind;

/** Everything to end at a stop, in the order of its start. */
const running: { children: Child[]; database: EmbeddedPostgres | null; endings: (() => void)[] } = {
  children: [],
  database: null,
  endings: [],
};

/** Of each process, as many as the database allows. */
let connections: Record<ProcessKind, number> | undefined;

const stopping = new AbortController();
let inHand: Promise<void> = Promise.resolve();

/** Runs a step of the start. Once the stop has begun it never returns: `stop` exits. */
function advance(name: string, work: (tell: Tell) => Promise<string>, options?: { shared: boolean }): Promise<void> {
  if (stopping.signal.aborted) return new Promise(() => {});
  inHand = step(name, work, options);
  return inHand;
}

const waitingFor = <T>(work: () => Promise<T>) => withDatabase(work, { signal: stopping.signal, tellsOnPort: runs("web") });

async function main(): Promise<void> {
  const { APP_URL, PORT, WEBHOOK_SECRET } = env(); // as the environment gave them: generated secrets come later
  say(`Signalbox ${productVersion()} on Node ${process.versions.node}${mode === "development" ? ", for development" : ""}`);
  for (const words of misspeltSettings()) warn(`Attention: ${words}`);
  if (!ROLES.includes(options.only)) throw new EnvError(`--only takes ${ROLES.join(", ")}.`);
  holdData(APP_URL);
  if (runs("web") && !(await isPortFree(PORT)))
    throw new EnvError(
      `Port ${PORT} is in use by another program. Stop it, or start on another port: PORT=${PORT + 1} ${ownCommand("start")}`,
    );

  await advance("database", async () => {
    running.database = await waitingFor(startDatabase);
    completeEnvironment(mode, running.database?.url);
    if (running.database) running.endings.push(watchDatabase(running.database, () => void stop(1)));
    return describeDatabase(running.database);
  });
  connections = await waitingFor(() => planAtStart(KINDS.filter(runs)));
  await advance("migrations", async () => {
    const warning = await waitingFor(async () => assertFits(await examineSchema(env().DATABASE_URL ?? "")));
    const applied = await waitingFor(() => migrate(env().directUrl));
    if (warning !== null) return warning;
    return applied.length === 0 ? "nothing to do" : `${formatNumber(applied.length)} applied`;
  });
  if (mode === "production" && runs("web")) await advance("build", (tell) => buildPages(stopping.signal, tell));
  const setupUrl = await waitingFor(() => prepare(WEBHOOK_SECRET !== undefined));
  const invitation = setupUrl === null ? null : `Set up Signalbox: ${setupUrl} (this link works once, within 24 hours)`;
  // Of several processes the first alone has a link: it prints it before anything can fail.
  if (invitation !== null && options.only !== "all") say(`\n${invitation}`);
  await startChildren();
  const open = `is ready at ${APP_URL} (version ${productVersion()})`;
  const ready = { all: open, web: open, worker: "works", migrate: "has prepared the database" };
  say(`\nSignalbox ${ready[options.only as keyof typeof ready]}`);
  if (options.only === "migrate") return stop(0);
  if (env().mail?.mayBeRead) warn(`\nAttention: ${PASSWORD_MAY_BE_READ}`);
  if (invitation !== null && options.only === "all") say(invitation);
  say("\nPress Ctrl-C to stop.\n");
}

function holdData(address: string): void {
  const taken = takeLock(supervisorLock(), address);
  if (taken.outcome === "locked") {
    running.endings.push(taken.release);
    return;
  }
  const { pid, note } = taken.holder;
  throw new EnvError(
    `Signalbox is already running on this data (${dataDir()}): ${note}, process ${pid}.\nStop it with Ctrl-C in its terminal, or start a second one with its own data: DATA_DIR=.data-2 PORT=3001 ${ownCommand("start")}`,
  );
}

/** @param secretGiven only then the start may replace a source's secret */
async function prepare(secretGiven: boolean): Promise<string | null> {
  // Imported late: it reads the environment, which is complete only now.
  const { assertVaultFits } = await import("./database-checks.ts");
  const { prepareWorkspace } = await import("#lib/flows/members/set-up-workspace");
  try {
    await assertVaultFits();
    return (await prepareWorkspace({ now: new Date(), secretGiven, links: LINKS[options.only] ?? "each" })).setupUrl;
  } finally {
    await closePools();
  }
}

const BESIDE_ITS_LINES = { shared: true };

async function startChildren(): Promise<void> {
  if (runs("web"))
    await advance(
      "web",
      async () => {
        await supervised("web").start();
        await pageAnswers(env().PORT, stopping.signal);
        return `listening on port ${env().PORT}`;
      },
      BESIDE_ITS_LINES,
    );
  if (runs("worker"))
    await advance(
      "worker",
      async () => {
        await supervised("worker").start();
        return "running";
      },
      BESIDE_ITS_LINES,
    );
}

function supervised(name: ProcessKind): Child {
  const file = path.join(import.meta.dirname, `${name}${path.extname(import.meta.filename)}`);
  const child = new Child(name, file, undefined, connections && [connectionsOption(connections[name])]);
  running.children.push(child);
  return child;
}

/** Ends web and worker, then their database; a second call kills web and worker at once. */
async function stop(exitCode: number): Promise<void> {
  if (stopping.signal.aborted) {
    for (const child of running.children) child.kill();
    return; // the first call does it
  }
  stopping.abort();
  setTimeout(() => process.exit(1), STOP_LIMITS.everything).unref();
  // A step may be about to start the database; with children running there is nothing left to begin.
  if (running.children.length === 0)
    await inTime(
      inHand.catch(() => undefined),
      STEP_LIMIT_MS,
      () => undefined,
    );
  const childrenEnded = Promise.all(running.children.map((child) => child.stop()));
  // A child that is still there waits for a platform's tokens, and keeps them on disk.
  await inTime(childrenEnded, STOP_LIMITS.database, () => undefined);
  // First the watch that would start the database again, last the lock on the data.
  for (const end of running.endings.splice(1)) end();
  const databaseEnded = running.database?.stop().catch((error: Error) => complain(error.message));
  await Promise.all([childrenEnded, databaseEnded]);
  for (const end of running.endings) end();
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) say("\nStopping: finishing work in progress …");
    void stop(0);
  });
}

watchStarter(() => {
  if (stopping.signal.aborted) return;
  say("\nnpm has exited. Stopping: finishing work in progress …");
  void stop(0);
});

try {
  await main();
} catch (error) {
  // An error that the stop caused is no failure of the start.
  if (!stopping.signal.aborted) {
    complain(startFailureWords(error));
    await stop(1);
  }
}
