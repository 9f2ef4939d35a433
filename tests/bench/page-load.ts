import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { closePools, pool } from "#lib/db/pool";
import { makeOpenFolder } from "#tests/support/open-folder";
import { provideChromium } from "../../tools/chromium.ts";
import { Installation } from "../chaos/installation.ts";
import { fillInstallation } from "./fill-installation.ts";
import { percentile, say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- page-load`: how fast the pages come over a log of 100,000
// events. A whole installation on its own data, looked at by Lighthouse.

const LIGHTHOUSE = "lighthouse@13.5.0";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "100000" },
    runs: { type: "string", default: "5" },
    pages: { type: "string", default: "/events,/" },
  },
});
const events = Number(values.events);
const runs = Number(values.runs);

const { path: browser } = await provideChromium(say);
const dataDir = makeOpenFolder("signalbox-page-load-");
const installation = new Installation(dataDir);
await installation.start();
try {
  await fill();
  const cookie = await signIn();
  say(`page load: ${events.toLocaleString("en")} events, ${runs} runs of Lighthouse's desktop preset, medians`);
  for (const address of values.pages.split(",")) await report(address, cookie);
} finally {
  await installation.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

/** Fills the log and waits until the worker has filed all for the search. */
async function fill(): Promise<void> {
  await fillInstallation(installation, { events });
  for (let filed = 0; filed < events; await sleep(500)) {
    const { rows } = await pool().query<{ n: number }>("SELECT count(*)::int AS n FROM event_search");
    filed = rows[0]?.n ?? 0;
  }
  await closePools();
}

/** The owner's cookies; the browser that got them is closed, so that Lighthouse's is alone. */
async function signIn(): Promise<string> {
  const signedIn = await openSignedIn(installation);
  const cookies = await signedIn.page.context().cookies();
  await signedIn.browser.close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

async function report(address: string, cookie: string): Promise<void> {
  const html = await (await fetch(installation.url + address, { headers: { cookie } })).text();
  const { scripts, bytes } = await weighFirstLoad(html, installation.url);
  const seen: Seen[] = [];
  for (let run = 0; run < runs; run += 1) seen.push(await lighthouse(address, cookie));
  const median = (read: (one: Seen) => number) => percentile(seen.map(read), 0.5);
  say(
    `  ${address}: first load ${(bytes / 1000).toFixed(1)} kB of JavaScript (gzip, ${scripts} scripts); performance ${median((one) => one.performance)} ` +
      `(${Math.min(...seen.map((one) => one.performance))} to ${Math.max(...seen.map((one) => one.performance))}), ` +
      `largest contentful paint ${median((one) => one.lcpMs).toFixed(0)} ms, layout shift ${Math.max(...seen.map((one) => one.shift)).toFixed(4)}, ` +
      `blocked ${median((one) => one.blockedMs).toFixed(0)} ms, accessibility ${Math.min(...seen.map((one) => one.accessibility))}`,
  );
}

type Seen = { performance: number; accessibility: number; lcpMs: number; shift: number; blockedMs: number };
type Report = {
  finalDisplayedUrl: string;
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
};

/** One look at a page in a browser of its own, with nothing cached. */
async function lighthouse(address: string, cookie: string): Promise<Seen> {
  const headers = path.join(dataDir, "headers.json");
  const output = path.join(dataDir, "lighthouse.json");
  writeFileSync(headers, JSON.stringify({ Cookie: cookie }));
  const flags = ["--preset=desktop", "--quiet", "--output=json", `--output-path=${output}`, `--extra-headers=${headers}`];
  const kinds = "--only-categories=performance,accessibility";
  const chrome = "--chrome-flags=--headless=new --no-sandbox --disable-gpu";
  const run = () =>
    promisify(execFile)("npx", ["--yes", LIGHTHOUSE, installation.url + address, ...flags, kinds, chrome], {
      env: { ...process.env, CHROME_PATH: browser },
    });
  // It sometimes misses the beginning of the page, and asks to be run again.
  await run().catch(run);
  const { audits, categories, finalDisplayedUrl } = JSON.parse(readFileSync(output, "utf8")) as Report;
  if (new URL(finalDisplayedUrl).pathname !== address) throw new Error(`${address} led to ${finalDisplayedUrl}`);
  const number = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    performance: Math.round((categories.performance?.score ?? 0) * 100),
    accessibility: Math.round((categories.accessibility?.score ?? 0) * 100),
    lcpMs: number("largest-contentful-paint"),
    shift: number("cumulative-layout-shift"),
    blockedMs: number("total-blocking-time"),
  };
}

/** Size of a page's own script tags as they come over the line: the JavaScript that comes before anything is pressed. */
type FirstLoad = { scripts: number; bytes: number };

/**
 * Fetches what the HTML's script tags name, without any cache, compressed as a browser on this machine gets it.
 *
 * @param html as the server sent it
 * @param base the address that it came from
 */
async function weighFirstLoad(html: string, base: string): Promise<FirstLoad> {
  // Browsers that know modules leave the tags for the others alone.
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag));
  const addresses = new Set(tags.map((tag) => new URL(/src="([^"]+)"/.exec(tag)?.[1] ?? "", base).href));
  let bytes = 0;
  for (const address of addresses) bytes += await weigh(address);
  return { scripts: addresses.size, bytes };
}

function weigh(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "accept-encoding": "gzip, deflate, br, zstd" }, agent: false }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${address} answered ${answer.statusCode}`));
      resolve(Buffer.concat(await answer.toArray()).length);
    }).on("error", reject);
  });
}
