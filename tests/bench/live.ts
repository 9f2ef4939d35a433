import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { makeOpenFolder } from "#tests/support/open-folder";
import { residentMegabytes } from "#tests/support/resident-memory";
import { Installation } from "../chaos/installation.ts";
import { percentile, say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- live`: from the webhook to the row in an open browser, and
// what many open feeds cost. A whole installation on its own data.

const { values } = parseArgs({
  options: {
    "per-second": { type: "string", default: "100" },
    seconds: { type: "string", default: "20" },
    feeds: { type: "string", default: "500" },
  },
});
/** One caller may open 100. */
const FEEDS_A_KEY = 50;
const perSecond = Number(values["per-second"]);
const seconds = Number(values.seconds);

const dataDir = makeOpenFolder("signalbox-live-");
const installation = new Installation(dataDir);
await installation.start();
const agent = new Agent({ connections: 32 });
const { browser, page } = await openSignedIn(installation);
await page.goto("/events");
await page.getByText("Live").first().waitFor();
await send("warm", 1, 3);
await sleep(2000);

say(`live: ${perSecond} events a second for ${seconds} s`);
await report("one open browser", "alone");
const feeds = await openFeeds(Number(values.feeds));
await sleep(3000);
const idle = memoryOfWeb();
say(`  ${feeds.length} open feeds: the web process holds ${idle} MB`);
for (const { seen } of feeds) seen.clear();
const sent = await report(`a browser beside ${feeds.length} feeds`, "crowd");
const delays = feeds.flatMap(({ seen }) => [...seen].map(([id, at]) => at - (sent.get(id) ?? at)));
const whole = feeds.filter(({ seen, repeated }) => seen.size === sent.size && repeated() === 0).length;
say(
  `  in ${feeds.length} feeds: p50 ${percentile(delays, 0.5).toFixed(0)} ms, p95 ${percentile(delays, 0.95).toFixed(0)} ms; ${whole} of them saw each of ${sent.size} once`,
);
say(`  the web process then holds ${memoryOfWeb()} MB`);

for (const feed of feeds) feed.close();
await browser.close();
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);

/** Notes when each event's row is in the page, after the frame that drew it. */
async function report(name: string, run: string): Promise<Map<string, number>> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seenRows: seen });
    const look = () => {
      for (const row of document.querySelectorAll<HTMLElement>("[data-event]")) {
        const id = row.dataset.event;
        if (id !== undefined && !(id in seen)) seen[id] = Date.now();
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const sent = await send(run, perSecond, seconds);
  await sleep(3000);
  const seen = await page.evaluate(() => (window as unknown as { seenRows: Record<string, number> }).seenRows);
  const delays = [...sent].flatMap(([id, at]) => (seen[id] === undefined ? [] : [seen[id] - at]));
  say(
    `  ${name}: sent to visible p50 ${percentile(delays, 0.5).toFixed(0)} ms, p95 ${percentile(delays, 0.95).toFixed(0)} ms (${delays.length} of ${sent.size} were drawn)`,
  );
  return sent;
}

async function send(run: string, perSecond: number, seconds: number): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  const answers: Promise<unknown>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    const id = `evt_live_${run}_${n}`;
    const body = JSON.stringify({
      id,
      type: "document.uploaded",
      created: Math.floor(Date.now() / 1000),
      data: { documentId: `doc_${n}` },
    });
    const signature = createHmac("sha256", installation.secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-webhook-signature": signature };
    sent.set(id, Date.now());
    answers.push(
      request(`${installation.url}/webhooks/platform`, { method: "POST", headers, body, dispatcher: agent }).then((answer) =>
        answer.body.dump(),
      ),
    );
  }
  await Promise.all(answers);
  return sent;
}

type Feed = { seen: Map<string, number>; repeated: () => number; close: () => void };

async function openFeeds(count: number): Promise<Feed[]> {
  const feeds: Feed[] = [];
  const dispatcher = new Agent({ connections: count + 10, pipelining: 1 });
  let key = "";
  for (let n = 0; n < count; n += 1) {
    if (n % FEEDS_A_KEY === 0) key = await makeKey(`live ${n}`);
    feeds.push(await openFeed(dispatcher, key));
  }
  return feeds;
}

async function makeKey(name: string): Promise<string> {
  const { body, statusCode } = await request(`${installation.url}/api/v1/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${installation.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name, role: "viewer" }),
  });
  if (statusCode !== 201) throw new Error(`an API key was answered ${statusCode}`);
  return ((await body.json()) as { key: string }).key;
}

async function openFeed(dispatcher: Agent, key: string): Promise<Feed> {
  const seen = new Map<string, number>();
  let repeats = 0;
  let rest = "";
  const headers = { authorization: `Bearer ${key}` };
  const { body, statusCode } = await request(`${installation.url}/api/v1/feed`, { headers, bodyTimeout: 0, dispatcher });
  if (statusCode !== 200) throw new Error(`a feed was answered ${statusCode}`);
  body.on("error", () => undefined);
  body.on("data", (chunk: Buffer) => {
    const now = Date.now();
    const frames = (rest + chunk.toString()).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const id = /"id":"(evt_live_\w+)"/.exec(frame)?.[1];
      if (id === undefined) continue;
      if (seen.has(id)) repeats += 1;
      else seen.set(id, now);
    }
  });
  return { seen, repeated: () => repeats, close: () => body.destroy() };
}

/** The resident memory of the process that serves HTTP, in megabytes. */
function memoryOfWeb(): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (!command.includes("lib/processes/web.ts") || !readFileSync(`/proc/${pid}/environ`, "utf8").includes(dataDir)) continue;
      return Math.round(residentMegabytes(Number(pid)));
    } catch {
      // it has ended meanwhile
    }
  }
  return 0;
}
