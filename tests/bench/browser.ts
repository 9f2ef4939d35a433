import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { resetEnv } from "#lib/config/env";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { closePools, pool } from "#lib/db/pool";
import { TEST_ENV } from "#tests/support/environment";
import { BIG_PIPELINE, fillBoard } from "#tests/support/large-board";
import { makeOpenFolder } from "#tests/support/open-folder";
import { Installation } from "../chaos/installation.ts";
import { say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- browser`: how smooth the pages stay while 50 events a second
// come in, over a pipeline of 100,000 tasks. Long tasks are told by the wall
// clock (PerformanceObserver) and, since a crowded machine makes everything
// long, the main thread's tasks by their CPU time too.

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "100000" },
    "per-second": { type: "string", default: "50" },
    seconds: { type: "string", default: "20" },
  },
});

const STAGES = ["Inbox", "Review", "Approval", "Booking", "Paid"];
const tasks = Number(values.tasks);
let made = 0;
let taken = 0;

const dataDir = makeOpenFolder("signalbox-browser-");
const installation = new Installation(dataDir);
await installation.start();
await fill();

/** Moves the next task to another stage. */
async function send(): Promise<void> {
  const n = made;
  made += 1;
  const from = n % STAGES.length;
  const data = {
    taskId: `task_big_${(n * 7919) % tasks}`,
    pipelineId: BIG_PIPELINE,
    fromStage: STAGES[from],
    toStage: STAGES[(from + 1) % STAGES.length],
  };
  const now = Date.now();
  const body = JSON.stringify({ id: `evt_smooth_${n}`, type: "pipeline.stage_changed", created: Math.floor(now / 1000), data });
  const signature = createHmac("sha256", installation.secret).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-webhook-signature": signature };
  const answer = await fetch(`${installation.url}/webhooks/platform`, { method: "POST", body, headers }).catch(() => null);
  if (answer?.status === 200) taken += 1;
}

/** Puts the tasks straight into the installation's database. */
async function fill(): Promise<void> {
  resetEnv({ ...TEST_ENV, DATABASE_URL: await installation.databaseUrl() });
  const { rows } = await pool().query<{ id: WorkspaceId }>("SELECT id FROM workspaces");
  if (!rows[0]) throw new Error("there is no workspace");
  await fillBoard(rows[0].id, tasks);
  await closePools();
}

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } };

/** CPU milliseconds of the main thread's tasks, the longest first. */
function mainThreadTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf));
  return traceEvents
    .flatMap((event) => (event.name.includes("RunTask") && main.has(threadOf(event)) && event.tdur ? [event.tdur / 1000] : []))
    .sort((a, b) => b - a);
}

async function measure(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await sleep(3000);
  await page.evaluate(() => {
    const long: number[] = [];
    Object.assign(window, { long });
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ["longtask"],
    });
  });
  const before = taken;
  await browser.startTracing(page, { categories: ["toplevel"] });
  const timer = setInterval(() => void send(), 1000 / Number(values["per-second"]));
  await sleep(Number(values.seconds) * 1000);
  clearInterval(timer);
  const tasks = mainThreadTasks(await browser.stopTracing());
  const long = await page.evaluate(() => (window as unknown as { long: number[] }).long);
  say(
    `${address}: ${taken - before} events in ${values.seconds} s; by the clock ${long.filter((ms) => ms > 100).length} tasks over 100 ms, ` +
      `longest ${Math.max(0, ...long).toFixed(0)} ms; by CPU time longest ${tasks
        .slice(0, 3)
        .map((ms) => ms.toFixed(0))
        .join(", ")} ms`,
  );
}

const { browser, page } = await openSignedIn(installation);
say(`browser: ${tasks.toLocaleString("en")} tasks, ${values["per-second"]} events a second`);
for (const address of [`/pipelines/${BIG_PIPELINE}`, "/tasks", "/events"]) await measure(page, address);
await browser.close();
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);
