import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import { pool } from "#lib/db/pool";
import { storeSpooled } from "#lib/flows/connections/tokens";
import { processStart } from "#lib/installation/process-lock";
import { STOP_LIMITS } from "#lib/installation/stop-limits";
import { TEST_ENV } from "#tests/support/environment";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { makeOpenFolder } from "#tests/support/open-folder";
import { ownPort } from "#tests/support/own-port";
import { atSize, expectPace, matrixSample } from "#tests/support/pace";
import { connect } from "#tests/support/platform-connection";
import { valuesOf } from "#tests/support/sample";
import { temporaryFolder } from "#tests/support/temporary-folder";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Time that the contract allows for a stop. */
const STOP_MS = 10_000;
/** Later than all other work ends, the built-in database too in the deep suite, and before the request is given up, 9 s after it began. */
const ANSWER_MS = atSize(STOP_LIMITS.database + 500, STOP_LIMITS.work + 200);

const sample = matrixSample();

const { platform, url } = useHostilePlatform();

/** A real worker that says all it has to say on a pipe. */
function forkWorker(): { child: ChildProcess; ended: Promise<number | string>; ready: Promise<unknown> } {
  const child = fork("lib/processes/worker.ts", [], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...process.env, ...TEST_ENV, NODE_ENV: "production", LOG_LEVEL: "debug", DATABASE_URL: url(), SANDBOX: "off" },
  });
  const ended = new Promise<number | string>((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const ready = new Promise((resolve, reject) => {
    child.once("message", resolve);
    void ended.then((how) => reject(new Error(`the worker ended while starting: ${how}`)));
  });
  ready.catch(() => undefined); // most tests end it before that
  child.stdout?.resume();
  child.stderr?.resume();
  return { child, ended, ready };
}

async function expectEnd(ended: Promise<number | string>, how: (number | string)[]): Promise<void> {
  const since = performance.now();
  expect(how).toContain(await ended);
  expectPace(performance.now() - since, STOP_MS);
}

test("a worker whose reader of stdout left during the start works, and ends on SIGTERM", async () => {
  const { child, ended, ready } = forkWorker();
  child.stdout?.destroy();
  child.stderr?.destroy();
  await ready;
  child.kill("SIGTERM");
  await expectEnd(ended, [0]);
}, 120_000);

test.each([0, ...valuesOf(sample, [200, 500, 900, 1500], 0)])(
  "a worker that is asked to stop %i ms after it was started ends",
  async (ms) => {
    const { child, ended } = forkWorker();
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill("SIGTERM");
    // Before its first line runs, the signal itself ends it: nothing has begun.
    await expectEnd(ended, [0, "SIGTERM"]);
  },
  40_000,
);

test.each([0, ...valuesOf(sample, [300, 700, 1200], 0)])(
  "a worker whose supervisor goes away %i ms after the start ends by itself",
  async (ms) => {
    const { child, ended } = forkWorker();
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.disconnect();
    await expectEnd(ended, [0]);
  },
  40_000,
);

/** The refresh is given up 9 s after it began: an answer this late does not count, and the test begins anew. */
const TOO_LATE_MS = 8800;

test("a stop in the moment in which a refresh is under way keeps the tokens that it brings when all but that must have ended", async () => {
  let refresh = await stopWhileRefreshing();
  while (refresh.answeredAfterMs > TOO_LATE_MS) refresh = await stopWhileRefreshing();
  const { actor, connectionId } = refresh;
  await storeSpooled(connectionId); // as the next process does, where the database did not have them in time
  const { rows } = await pool().query<{ state: string }>("SELECT state FROM connections WHERE id = $1", [connectionId]);
  expect(rows[0]?.state).toBe("connected");
  const tokens = await findTokens(actor.workspaceId, connectionId);
  expect(await openToken(actor.workspaceId, connectionId, "refresh", tokens?.refreshSealed ?? "")).toBe("refresh-after");
}, 120_000);

/** Stops a worker whose refresh is answered shortly before the process must have ended. */
async function stopWhileRefreshing() {
  const { actor, connectionId } = await connect();
  const { child, ended, ready } = forkWorker();
  await ready; // what a start takes of the processor, a request would wait for
  const asked = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let answeredAfterMs = 0;
  platform.answer = async () => {
    const since = performance.now();
    asked.resolve();
    await stopped.promise;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS)); // the limits of a stop count from its begin
    answeredAfterMs = performance.now() - since;
    return { body: { access_token: "access-after", refresh_token: "refresh-after", expires_in: 600 } };
  };
  await pool().query(
    "UPDATE connections SET access_expires_at = now() - interval '1 second', next_refresh_at = now() - interval '1 second' WHERE id = $1",
    [connectionId],
  );
  await asked.promise;
  child.kill("SIGTERM");
  stopped.resolve();
  await ended;
  return { actor, connectionId, answeredAfterMs };
}

test("npm start whose reader leaves after the first line goes on, and SIGTERM ends everything that it started", async () => {
  const port = ownPort();
  const group = spawn(process.execPath, ["lib/processes/start.ts"], {
    cwd: ROOT,
    detached: true, // a process group of its own, to see who is left of it
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...TEST_ENV,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: temporaryFolder(),
      DATABASE_URL: url(),
    },
  });
  const ended = new Promise<number | string>((resolve) => group.once("exit", (code, signal) => resolve(code ?? signal ?? "")));
  const alive = () => existsSync(`/proc/${group.pid}`) && isGroupAlive(group.pid ?? 0);
  onTestFinished(() => void (alive() && process.kill(-(group.pid ?? 0), "SIGKILL")));
  await new Promise((resolve) => group.stdout?.once("data", resolve));
  group.stdout?.destroy();
  group.stderr?.destroy();
  await new Promise((resolve) => setTimeout(resolve, 4000)); // in the midst of its start: migrations, build, or beyond
  expect(alive()).toBe(true);
  group.kill("SIGTERM");
  await expectEnd(ended, [0]);
  // A build's own workers notice a moment later that it is gone.
  await expect.poll(() => isGroupAlive(group.pid ?? 0), { timeout: 60_000 }).toBe(false);
}, 120_000);

/** A start with the built-in database and a worker, as npm runs it: in a shell that dies of a signal without passing it on. */
async function startInShell() {
  const folder = makeOpenFolder("signalbox-npm-");
  const script = "node lib/processes/start.ts";
  const shell = spawn("sh", ["-c", `${script} --only=worker; :`], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...TEST_ENV,
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      NODE_ENV: "production",
      DATABASE_URL: "",
      DATA_DIR: folder,
      ...{ npm_lifecycle_event: "start", npm_lifecycle_script: script },
    },
  });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await expect.poll(() => output, { timeout: 60_000 }).toContain("Signalbox works");
  const postgres = Number(readFileSync(path.join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  onTestFinished(() => {
    if (isGroupAlive(shell.pid ?? 0)) process.kill(-(shell.pid ?? 0), "SIGKILL");
    if (processStart(postgres) !== null) process.kill(postgres, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  });
  const ends = () =>
    expect
      .poll(() => ({ group: isGroupAlive(shell.pid ?? 0), postgres: processStart(postgres) !== null }), { timeout: 30_000 })
      .toEqual({ group: false, postgres: false });
  return { shell, folder, ends };
}

test("TERM to npm start ends supervisor, worker and database, although npm's shell passes nothing on", async () => {
  const { shell, folder, ends } = await startInShell();
  shell.kill("SIGTERM");
  await ends();
  expect(existsSync(path.join(folder, "postgres/postmaster.pid"))).toBe(false);
}, 120_000);

test("a start whose data folder is deleted ends, the database too, and makes no new one", async () => {
  const { folder, ends } = await startInShell();
  // The database may write a file while they are deleted.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  await ends();
  expect(existsSync(path.join(folder, "postgres/PG_VERSION"))).toBe(false);
}, 120_000);

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
