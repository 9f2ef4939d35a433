import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { closePools, pool } from "#lib/db/pool";
import { makeOpenFolder } from "#tests/support/open-folder";
import { EVERYTHING_WAITING } from "#tests/support/waiting";
import { Installation } from "../chaos/installation.ts";
import { fillInstallation } from "./fill-installation.ts";
import { percentile, say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- lists`: from the click in the navigation to the first paint of the new page, and to its first rows, over a
// full installation, with the layout shift and the longest task of each click. Each click comes after a whole load of the
// overview, with no time to hover: the list's code and data are asked for by the click.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    quarantined: { type: "string", default: "5000" },
    runs: { type: "string", default: "7" },
  },
});
const [events, quarantined, runs] = [Number(values.events), Number(values.quarantined), Number(values.runs)];

/** Pages of the navigation, and the selector of each one's first row. */
const LISTS = {
  "/events": "tr[data-event]",
  "/issues": "a[data-row-link]",
  "/missing-events": "h1",
  "/quarantine": "a[data-row-link]",
  "/connections": "h1",
  "/destinations": "h1",
  "/documents": "a[data-row-link]",
  "/tasks": "a[data-row-link]",
  "/pipelines": "a[href^='/pipelines/']",
  "/automations": "a[data-row-link]",
  "/integrations": "h1",
} as const;

const dataDir = makeOpenFolder("signalbox-lists-");
const installation = new Installation(dataDir);
await installation.start();
await fill();
const { browser, page } = await openSignedIn(installation);
await page.addInitScript(watch);
say(`lists: ${events.toLocaleString("en")} events, ${quarantined.toLocaleString("en")} quarantined; ${runs} clicks each`);
for (const [path, row] of Object.entries(LISTS)) await report(path, row);
await browser.close();
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);

/** A log of four weeks that the worker applies, and requests of a stranger. */
async function fill(): Promise<void> {
  await fillInstallation(installation, { events, waiting: true });
  const dispatcher = new Agent({ connections: 8 });
  const forge = async (n: number) => {
    const body = JSON.stringify({ id: `evt_forged_${n}`, type: "document.processed", created: 1_760_000_000 + n, data: {} });
    const headers = { "content-type": "application/json", "x-webhook-signature": "0".repeat(64) };
    const answer = await request(`${installation.url}/webhooks/platform`, { dispatcher, method: "POST", headers, body });
    await answer.body.dump();
  };
  for (let n = 0; n < quarantined; n += 8) await Promise.all(Array.from({ length: 8 }, (_, at) => forge(n + at)));
  await dispatcher.destroy();
  for (let waiting = 1; waiting > 0; await sleep(500))
    waiting = (await pool().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${EVERYTHING_WAITING} w`)).rows[0]?.n ?? 0;
  await closePools();
}

type Look = { since: number; shift: number; longest: number };

/** Runs in the page: what shifts, and the longest task, since the last click. */
function watch(): void {
  const look: Look = { since: 0, shift: 0, longest: 0 };
  Object.assign(window, { look });
  document.addEventListener(
    "click",
    ({ timeStamp }) => {
      Object.assign(look, { since: timeStamp, shift: 0, longest: 0 });
    },
    true,
  );
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) look.shift += entry.value;
  }).observe({ type: "layout-shift" });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) look.longest = Math.max(look.longest, duration);
  }).observe({ type: "longtask" });
}

type Times = { paint: number; rows: number };

/** Milliseconds from the click to the frame after the new page, and then its first row, is in the document. */
async function click(path: string, row: string): Promise<Times> {
  await page.goto("/");
  await sleep(1500);
  const painted = page.evaluate(
    ([path, row]) =>
      new Promise<Times>((resolve) => {
        const { look } = window as unknown as { look: Look };
        const before = document.querySelector("#content")?.firstElementChild;
        let paint: number | null = null;
        const wait = (now: number) => {
          if (paint === null && document.querySelector("#content")?.firstElementChild !== before) paint = now;
          const there = location.pathname === path && document.querySelector(`#content ${row}`);
          if (there) requestAnimationFrame((at) => resolve({ paint: (paint ?? at) - look.since, rows: at - look.since }));
          else requestAnimationFrame(wait);
        };
        requestAnimationFrame(wait);
      }),
    [path, row] as const,
  );
  await page.locator(`nav[aria-label="Main"] a[href="${path}"]`).click();
  return painted;
}

async function report(path: string, row: string): Promise<void> {
  const times: Times[] = [];
  let [shift, longest] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    times.push(await click(path, row));
    await sleep(1500);
    const seen = await page.evaluate(() => (window as unknown as { look: Look }).look);
    [shift, longest] = [Math.max(shift, seen.shift), Math.max(longest, seen.longest)];
  }
  say(
    `  ${path}: first paint after ${median(times, "paint")} ms, first rows after ${median(times, "rows")} ms; ` +
      `layout shift ${shift.toFixed(4)}; longest task ${longest.toFixed(0)} ms`,
  );
}

function median(times: Times[], of: keyof Times): string {
  const values = times.map((one) => one[of]);
  return percentile(values, 0.5).toFixed(0);
}
