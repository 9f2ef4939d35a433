import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvError, env } from "#lib/config/env";
import { completeEnvironment, dataDir, ROOT } from "#lib/config/process-environment";
import { takeLock } from "#lib/config/process-lock";
import type { EmbeddedPostgres } from "#lib/db/embedded-postgres";
import { migrate } from "#lib/db/migrate";
import { closePools } from "#lib/db/pool";
import { closePrisma } from "#lib/db/prisma";
import { ensureBuild } from "./build.ts";
import { Child } from "./child.ts";
import { supervisorLock } from "./data-files.ts";
import { describeDatabase, startDatabase, watchDatabase } from "./database.ts";
import { isPortFree } from "./port.ts";
import { complain, say, step } from "./progress.ts";

// `npm start` and, with --dev, `npm run dev`: prepares what is missing, then
// starts the web process and the worker and looks after them.

/** Everything is down 10 s after Ctrl-C: 8 s for the children, the rest for the database. */
const STOP_LIMIT_MS = 9800;
const PAGE_LIMIT_MS = 90_000;

const mode = process.argv.includes("--dev") ? "development" : "production";

/** What runs and must be ended, in the order of its start. */
const running: { children: Child[]; database: EmbeddedPostgres | null; endings: (() => void)[] } = {
  children: [],
  database: null,
  endings: [],
};

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  const { APP_URL, PORT } = env();
  say(`Signalbox ${version} on Node ${process.versions.node}${mode === "development" ? ", for development" : ""}`);
  holdData(APP_URL);
  if (!(await isPortFree(PORT)))
    throw new EnvError(`Port ${PORT} is taken by another program. Stop that, or start with another: PORT=${PORT + 1} npm start`);

  await step("database", async () => {
    running.database = await startDatabase();
    completeEnvironment(mode, running.database?.url);
    if (running.database) running.endings.push(watchDatabase(running.database));
    return describeDatabase(running.database);
  });
  await step("migrations", async () => {
    const applied = await migrate(env().DATABASE_URL ?? "");
    return applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
  });
  if (mode === "production") await step("build", ensureBuild);
  const setupUrl = await prepare();
  await startChildren();
  say(`\nSignalbox is ready at ${APP_URL}`);
  if (setupUrl) say(`\nThere is no owner yet. Open this once to become it (good for 24 hours):\n  ${setupUrl}`);
  say("\nCtrl-C stops it.\n");
}

/** Takes DATA_DIR for this process alone. */
function holdData(address: string): void {
  const taken = takeLock(supervisorLock(), address);
  if (taken.outcome === "locked") {
    running.endings.push(taken.release);
    return;
  }
  const { pid, note } = taken.holder;
  throw new EnvError(
    `Signalbox is already running on this data (${dataDir()}): ${note}, process ${pid}.\nStop it with Ctrl-C in its terminal, or start another beside it with its own data: DATA_DIR=.data-2 PORT=3001 npm start`,
  );
}

async function prepare(): Promise<string | null> {
  // Loaded now: what it imports reads the environment, which is complete only since a moment ago.
  const { assertVaultFits } = await import("./vault-fits.ts");
  const { prepareWorkspace } = await import("#lib/flows/prepare-workspace");
  try {
    await assertVaultFits();
    return (await prepareWorkspace()).setupUrl;
  } finally {
    await closePrisma();
    await closePools();
  }
}

async function startChildren(): Promise<void> {
  const web = new Child("web", path.join(import.meta.dirname, "web.ts"));
  const worker = new Child("worker", path.join(import.meta.dirname, "worker.ts"));
  running.children.push(web, worker);
  await step("web", async () => {
    await web.start();
    await pageAnswers(env().PORT);
    return `listens on port ${env().PORT}`;
  });
  await step("worker", async () => {
    await worker.start();
    return "at work";
  });
}

/** Ready means that a page answers, not that a port is open. */
async function pageAnswers(port: number): Promise<void> {
  let words = "";
  for (const end = Date.now() + PAGE_LIMIT_MS; Date.now() < end; await sleep(200)) {
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
      if (status < 500) return;
      words = `it answers ${status}`;
    } catch (error) {
      words = (error as Error).message;
    }
  }
  throw new Error(`The first page does not answer: ${words}`);
}

let stopping = false;

/** Ends everything in order: the doors, the workers, then the database they use. */
async function stop(exitCode: number): Promise<never> {
  if (stopping) {
    for (const child of running.children) child.kill();
    return sleep(STOP_LIMIT_MS) as Promise<never>; // the first call is at it
  }
  stopping = true;
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await Promise.all(running.children.map((child) => child.stop()));
  // Last the lock on the data, first the watch that would start the database again.
  for (const end of running.endings.splice(1)) end();
  await running.database?.stop().catch((error: Error) => complain(error.message));
  for (const end of running.endings) end();
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (!stopping) say("\nStopping: finishing what is in hand …");
    void stop(0);
  });
}

try {
  await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  await stop(1);
}
