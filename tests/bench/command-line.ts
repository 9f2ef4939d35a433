import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { openCuttingProxy } from "#tests/support/cutting-proxy";
import { type LocalApp, openLocalApp } from "#tests/support/local-app";
import { makeOpenFolder } from "#tests/support/open-folder";
import { residentMegabytes } from "#tests/support/resident-memory";
import { Installation } from "../chaos/installation.ts";
import { percentile, say } from "./harness.ts";

// `npm run bench -- cli`: the command line beside a whole installation: how fast it starts, and that `listen` misses
// nothing, how much it hands on, and what it holds.

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "100" },
    away: { type: "string", default: "600" },
    events: { type: "string", default: "100000" },
    only: { type: "string", default: "start,away,kill,cut,restart,replay,throughput" },
  },
});
const MAIN = path.resolve(import.meta.dirname, "../../packages/cli/dist/signalbox.js");
const parts = new Set(values.only.split(","));

spawnSync("npm", ["run", "--silent", "build", "--workspace", "packages/cli"], { stdio: "inherit" });
const installation = new Installation(makeOpenFolder("signalbox-cli-bench-"), {
  environment: { API_REQUESTS_PER_MINUTE: "1000000" },
});
await installation.start();
const agent = new Agent({ connections: 32, pipelining: 1 });
const environment = { ...process.env, SIGNALBOX_URL: installation.url, SIGNALBOX_API_KEY: installation.apiKey };
let named = 0;

try {
  if (parts.has("start")) startTimes();
  if (parts.has("away")) await away();
  if (parts.has("kill")) await killed();
  if (parts.has("cut")) await cut();
  if (parts.has("restart")) await restarted();
  if (parts.has("replay")) await replayed();
  if (parts.has("throughput")) await throughput();
} finally {
  await agent.close();
  await installation.stop();
}

function startTimes(): void {
  const median = (args: string[]) => {
    const took = Array.from({ length: 20 }, () => {
      const since = performance.now();
      spawnSync(process.execPath, args, { env: environment, stdio: "ignore" });
      return performance.now() - since;
    });
    return `${percentile(took, 0.5).toFixed(0)} ms`;
  };
  say(
    `start, median of 20: node -e 0 ${median(["-e", "0"])}, --help ${median([MAIN, "--help"])}, events ls ${median([MAIN, "events", "ls"])}`,
  );
}

/** Sends webhooks, at most 32 at a time. @returns their IDs */
async function send(count: number, type = "document.processed"): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `evt_bench_${++named}`);
  let next = 0;
  const lane = async () => {
    for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
      const body = JSON.stringify({
        id,
        type,
        created: Math.floor(Date.now() / 1000),
        data: { documentId: `doc_${id}`, note: "x".repeat(600) },
      });
      const signature = createHmac("sha256", installation.secret).update(body).digest("hex");
      for (;;) {
        const answer = await request(`${installation.url}/webhooks/platform`, {
          method: "POST",
          dispatcher: agent,
          headers: { "content-type": "application/json", "x-webhook-signature": signature },
          body,
        }).catch(() => null);
        await answer?.body.dump();
        if (answer?.statusCode === 200) break;
        await sleep(200);
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  return ids;
}

type Listening = { child: ReturnType<typeof spawn>; end: (signal?: NodeJS.Signals) => Promise<number | null> };

function listen(folder: string, app: LocalApp, args: string[] = [], url = installation.url): Listening {
  const env = { ...environment, SIGNALBOX_URL: url, SIGNALBOX_CONFIG_DIR: folder };
  const child = spawn(process.execPath, [MAIN, "listen", app.url, "--output", "quiet", ...args], {
    env,
    stdio: "ignore",
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    child,
    end: (signal = "SIGINT") => {
      child.kill(signal);
      return gone;
    },
  };
}

function folderOf(): string {
  return mkdtempSync(path.join(tmpdir(), "signalbox-cli-bench-"));
}

/** `quiet` says nothing of the beginning: the list of listeners does. */
async function connected(app: LocalApp): Promise<void> {
  for (;;) {
    const answer = await fetch(`${installation.url}/api/v1/listeners`, { headers: { authorization: `Bearer ${installation.apiKey}` } });
    const { data } = (await answer.json()) as { data: { url: string }[] };
    if (data.some(({ url }) => url === app.url)) return;
    await sleep(50);
  }
}

/** Waits until every one has come. @returns how many came more than once */
async function repeats(app: LocalApp, ids: string[]): Promise<number> {
  const since = Date.now();
  while (Date.now() - since < 120_000) {
    const counts = app.counts();
    if (ids.every((id) => counts.has(id))) return ids.reduce((sum, id) => sum + (counts.get(id) ?? 0) - 1, 0);
    await sleep(100);
  }
  throw new Error(`${ids.filter((id) => !app.counts().has(id)).length} of ${ids.length} events never came`);
}

async function away(): Promise<void> {
  const [app, folder] = [await openLocalApp(), folderOf()];
  const first = listen(folder, app);
  await connected(app);
  await first.end();
  const since = Date.now();
  const ids = await send(250);
  await sleep(Number(values.away) * 1000);
  ids.push(...(await send(250)));
  const seconds = Math.round((Date.now() - since) / 1000);
  const second = listen(folder, app, ["--catch-up", "send"]);
  say(`stopped for ${seconds} s while ${ids.length} events came: all came, ${await repeats(app, ids)} twice`);
  await second.end();
  await app.close();
}

async function killed(): Promise<void> {
  const [app, folder] = [await openLocalApp(), folderOf()];
  let current = listen(folder, app);
  await connected(app);
  const ids: string[] = [];
  for (let round = 0; round < 10; round++) {
    const before = app.counts().size;
    const sending = send(200);
    while (app.counts().size < before + 40 + round * 10) await sleep(1);
    await current.end("SIGKILL");
    ids.push(...(await sending));
    current = listen(folder, app);
  }
  say(`kill -9, 10 times in ${ids.length} events: all came, ${await repeats(app, ids)} twice`);
  await current.end();
  await app.close();
}

async function cut(): Promise<void> {
  const [app, folder] = [await openLocalApp(), folderOf()];
  const proxy = await openCuttingProxy(installation.url);
  const listening = listen(folder, app, [], proxy.url);
  await connected(app);
  const ids: string[] = [];
  for (let cuts = 0; cuts < Number(values.cuts); ) {
    const sending = send(10);
    await sleep(Math.random() * 700);
    // Nothing is open while it reconnects: that is no cut.
    if (proxy.cut() > 0) cuts++;
    ids.push(...(await sending));
  }
  say(`cut by a proxy ${values.cuts} times at random, ${ids.length} events: all came, ${await repeats(app, ids)} twice`);
  await listening.end();
  await proxy.close();
  await app.close();
}

async function restarted(): Promise<void> {
  const apps = [await openLocalApp(), await openLocalApp()] as const;
  const listeners = apps.map((app) => listen(folderOf(), app));
  for (const app of apps) await connected(app);
  const ids = await send(100);
  await installation.stop();
  await installation.start();
  ids.push(...(await send(100)));
  const [id = ""] = ids;
  await fetch(`${installation.url}/api/v1/events/${id}/redeliver`, {
    method: "POST",
    headers: { authorization: `Bearer ${installation.apiKey}` },
  });
  const twice = [];
  for (const app of apps) {
    twice.push(await repeats(app, ids));
    while ((app.counts().get(id) ?? 0) < 2) await sleep(50);
  }
  say(
    `two listeners, the server restarted, ${ids.length} events and a re-delivery: all came to both; ${twice.join(" and ")} twice before the re-delivery`,
  );
  for (const each of listeners) await each.end();
  for (const app of apps) await app.close();
}

async function replayed(): Promise<void> {
  const ids = await send(500, "task.created");
  const answer = (seeded: string | undefined) => (got: { id: string }) => ({
    body: JSON.stringify({ id: got.id, stage: got.id === seeded ? "Reveiw" : "Review", at: Date.now() }),
  });
  const [a, b] = [await openLocalApp({ answer: answer(undefined) }), await openLocalApp({ answer: answer(ids[321]) })];
  const junit = path.join(folderOf(), "replay.xml");
  const since = performance.now();
  const args = [
    "replay",
    "--type",
    "task.created",
    "--limit",
    "500",
    "--rate",
    "500",
    "--to",
    a.url,
    "--also",
    b.url,
    "--ignore",
    "$.at",
    "--junit",
    junit,
  ];
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  say(
    `replay of 500 to two targets: ${((performance.now() - since) / 1000).toFixed(1)} s, exit code ${code}, found: ${out.trim().replace(/\s+/g, " ")}`,
  );
  say(
    `  ${junit}: ${readFileSync(junit, "utf8").match(/<testcase /g)?.length} test cases, ${readFileSync(junit, "utf8").match(/<failure /g)?.length} failure`,
  );
  await a.close();
  await b.close();
}

async function throughput(): Promise<void> {
  const [app, folder] = [await openLocalApp({ remember: false }), folderOf()];
  const first = listen(folder, app);
  await connected(app);
  await first.end();
  const count = Number(values.events);
  await send(count);
  await sleep(3000);
  const listening = listen(folder, app, ["--catch-up", "send"]);
  const since = performance.now();
  while (app.total() < 1) await sleep(5);
  const begun = performance.now();
  while (app.total() < count) await sleep(20);
  const seconds = (performance.now() - begun) / 1000;
  const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${listening.child.pid}/status`, "utf8"))?.[1] ?? "0";
  const now = residentMegabytes(listening.child.pid ?? 0);
  say(
    `listen: ${count} events in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second; the first after ${(begun - since).toFixed(0)} ms`,
  );
  say(`  it holds ${Math.round(now)} MB after them, ${Math.round(Number(memory) / 1024)} MB at the most`);
  await listening.end();
  await app.close();
}
