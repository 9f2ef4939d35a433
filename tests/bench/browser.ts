import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { findSystemChromium } from "#lib/processes/chromium";
import { say } from "./harness.ts";

// `node tests/bench/browser.ts --email … --password … --secret …`: how smooth
// the pages of a running Signalbox stay while 50 events a second come in. Long
// tasks are told by the wall clock (PerformanceObserver) and, since a crowded
// machine makes everything long, the main thread's tasks by their CPU time too.

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:3000" },
    source: { type: "string", default: "platform" },
    email: { type: "string", default: "" },
    password: { type: "string", default: "" },
    /** The source's webhook secret. */
    secret: { type: "string", default: "" },
    pipeline: { type: "string", default: "pipe_smooth" },
    seconds: { type: "string", default: "20" },
  },
});

const STAGES = ["Inbox", "Review", "Approval", "Booking", "Paid"];
const EVERY_MS = 20;
const TASKS = 500;
let made = 0;
let taken = 0;

/** Sends one event: the first 500 make tasks, all others move one. */
async function send(): Promise<void> {
  const n = made;
  made += 1;
  const ids = { taskId: `task_smooth_${n % TASKS}`, pipelineId: values.pipeline };
  const from = Math.floor(n / TASKS) % (STAGES.length - 1);
  const event =
    n < TASKS
      ? { type: "task.created", data: { ...ids, title: `Task ${n}`, stage: STAGES[0] } }
      : { type: "pipeline.stage_changed", data: { ...ids, fromStage: STAGES[from], toStage: STAGES[from + 1] } };
  const now = Date.now();
  const body = JSON.stringify({ id: `evt_smooth_${now}_${n}`, created: Math.floor(now / 1000), ...event });
  const signature = createHmac("sha256", values.secret).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-webhook-signature": signature };
  const answer = await fetch(`${values.url}/webhooks/${values.source}`, { method: "POST", body, headers }).catch(() => null);
  if (answer?.status === 200) taken += 1;
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
  const timer = setInterval(() => void send(), EVERY_MS);
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

const executablePath = findSystemChromium();
const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath && { executablePath }) });
const page = await browser.newPage({ baseURL: values.url, viewport: { width: 1440, height: 900 } });
await page.goto("/sign-in");
await page.getByLabel("E-mail").fill(values.email);
await page.getByLabel("Password").fill(values.password);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByRole("navigation").first().waitFor();
while (made < TASKS) await send();
for (const address of [`/pipelines/${values.pipeline}`, "/tasks", "/events"]) await measure(page, address);
await browser.close();
