import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { closePools, pool } from "#lib/db/pool";
import { makeOpenFolder } from "#tests/support/open-folder";
import { EVERYTHING_WAITING } from "#tests/support/waiting";
import { Installation } from "../chaos/installation.ts";
import { fillInstallation } from "./fill-installation.ts";
import { percentile, say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- navigation`: from the moment the button goes down to the frame that shows the title of the next page, for
// each link of the navigation (the first time in a document, and a second time), and for rows of lists. The pointer rests on a link
// for `--hover` milliseconds and holds the button for `--hold`, as a hand does; with 0 and 0 nothing is known before the click.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    hover: { type: "string", default: "100" },
    hold: { type: "string", default: "60" },
  },
});
const [events, rounds, hover, hold] = [values.events, values.rounds, values.hover, values.hold].map(Number) as [
  number,
  number,
  number,
  number,
];

/** Between two clicks, milliseconds. */
const PAUSE_MS = 700;
const QUARANTINED = 200;
const FAILING = 30;

/** Lists whose first row opens a page of its own, and the one that opens beside its list. */
const ROWS = ["/issues", "/quarantine", "/documents", "/tasks", "/connections"];

const dataDir = makeOpenFolder("signalbox-navigation-");
const installation = new Installation(dataDir);
await installation.start();
await fill();
const { browser, page } = await openSignedIn(installation);
const took = new Map<string, number[]>();
const links = await page.locator('nav[aria-label="Main"] a').evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
for (let round = 0; round < rounds; round += 1) {
  await page.goto("/settings/roles");
  await sleep(1500);
  for (const visit of ["first visit", "second visit"])
    for (const href of links) note(`${visit} ${href}`, await click(`nav[aria-label="Main"] a[href="${href}"]`, href));
  await measureRows(round);
}
say(
  `navigation: ${events.toLocaleString("en")} events, ${rounds} rounds, hover ${hover} ms, hold ${hold} ms; milliseconds from pointerdown`,
);
for (const kind of ["first visit", "second visit", "row", "inspector"]) report(kind);
await browser.close();
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);

/** A log that the worker applies, events that fail, and requests of a stranger. */
async function fill(): Promise<void> {
  await fillInstallation(installation, { events, waiting: true });
  for (let n = 0; n < FAILING; n += 1) await send({ id: `evt_failing_${n}`, type: "document.processed", data: {} }, installation.secret);
  for (let n = 0; n < QUARANTINED; n += 1) await send({ id: `evt_forged_${n}`, type: "document.processed", data: {} }, "another secret");
  // What can't be applied stays among what waits.
  for (let waiting = Number.POSITIVE_INFINITY; waiting > FAILING; await sleep(500))
    waiting = (await pool().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${EVERYTHING_WAITING} w`)).rows[0]?.n ?? 0;
  await closePools();
}

async function send(event: object, secret: string): Promise<void> {
  const body = JSON.stringify({ ...event, created: Math.floor(Date.now() / 1000) });
  const headers = { "content-type": "application/json", "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex") };
  await fetch(`${installation.url}/webhooks/platform`, { method: "POST", headers, body });
}

/** Clicks a link as a hand does. @returns milliseconds from the button's way down to the frame that shows the page's title */
async function click(selector: string, href?: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  const shown = page.evaluate(
    ({ href, deadline }) =>
      new Promise<number>((resolve, reject) => {
        const before = document.querySelector("#content h1, aside[data-event-id] h2");
        const from = location.href;
        let down = 0;
        addEventListener(
          "pointerdown",
          ({ timeStamp }) => {
            down = timeStamp;
          },
          { capture: true, once: true },
        );
        const wait = (now: number) => {
          const title = document.querySelector("aside[data-event-id] h2") ?? document.querySelector("#content h1");
          const there = href === undefined ? location.href !== from : location.pathname === href;
          if (down > 0 && there && title && title !== before) requestAnimationFrame((at) => resolve(at - down));
          else if (down > 0 && now - down > deadline) reject(new Error(`${href ?? "a row"} did not open`));
          else requestAnimationFrame(wait);
        };
        requestAnimationFrame(wait);
      }),
    { href, deadline: 10_000 },
  );
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await sleep(hover);
  await page.mouse.down();
  await sleep(hold);
  await page.mouse.up();
  const ms = await shown;
  await sleep(PAUSE_MS);
  return ms;
}

/** A row of each list, another one in each round, and an event beside the log. */
async function measureRows(round: number): Promise<void> {
  for (const list of ROWS) {
    await click(`nav[aria-label="Main"] a[href="${list}"]`, list);
    const rows = await page.locator("#content a[data-row-link]").count();
    if (rows > 0) note(`row ${list}`, await click(`:nth-match(#content a[data-row-link], ${1 + (round % Math.min(rows, 8))})`));
  }
  await click('nav[aria-label="Main"] a[href="/events"]', "/events");
  for (let n = 0; n < 3; n += 1) note("inspector /events", await click(`:nth-match(tr[data-event] a[data-row-link], ${2 + n})`));
}

function note(name: string, ms: number): void {
  took.set(name, [...(took.get(name) ?? []), ms]);
}

function report(kind: string): void {
  const of = [...took].filter(([name]) => name.startsWith(`${kind} `));
  const line = (name: string, all: number[]) =>
    say(
      `  ${name.padEnd(32)} p50 ${percentile(all, 0.5).toFixed(0).padStart(4)}  p95 ${percentile(all, 0.95).toFixed(0).padStart(4)}  (${all.length})`,
    );
  for (const [name, all] of of) line(name, all);
  if (of.length > 1)
    line(
      `${kind}, all`,
      of.flatMap(([, all]) => all),
    );
}
