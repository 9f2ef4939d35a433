import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { makeOpenFolder } from "#tests/support/open-folder";
import { Installation } from "../chaos/installation.ts";
import { approve, openDialog } from "../e2e/support/session.ts";
import { say } from "./harness.ts";
import { openSignedIn } from "./signed-in.ts";

// `npm run bench -- screenshots`: the README's pictures, of an installation that the sandbox has filled. `version.json` beside them says
// which version they show; tests/unit/tools/documentation.test.ts compares it with package.json.

const FOLDER = path.resolve(import.meta.dirname, "../../docs/screenshots");
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const DOCUMENTS = 120;

type Theme = "light" | "dark";
type Shot = [name: string, address: string, theme: Theme, size: typeof DESKTOP];

const dataDir = makeOpenFolder("signalbox-screenshots-");
const installation = new Installation(dataDir);
await installation.start();
const headers = { authorization: `Bearer ${installation.apiKey}`, "content-type": "application/json" };
const { browser, page } = await openSignedIn(installation);
try {
  await fill(page);
  const event = await newest("events?type=document.error");
  const shots: Shot[] = [
    ["overview-light", "/", "light", DESKTOP],
    ["overview-dark", "/", "dark", DESKTOP],
    ["overview-phone", "/", "light", PHONE],
    ["event-dark", `/events?event=${event}`, "dark", DESKTOP],
    ["pipeline-light", `/pipelines/${await newest("pipelines")}`, "light", DESKTOP],
    ["quarantine-light", "/quarantine", "light", DESKTOP],
    ["connections-dark", "/connections", "dark", DESKTOP],
  ];
  for (const shot of shots) await take(page, shot);
  const { version } = (await import("../../package.json", { with: { type: "json" } })).default;
  writeFileSync(path.join(FOLDER, "version.json"), `${JSON.stringify({ version })}\n`);
} finally {
  await browser.close();
  await installation.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

/** Two connected accounts, a fortnight's documents, and a few of what can go wrong. */
async function fill(signedIn: Page): Promise<void> {
  for (const name of ["Acme production", "Acme staging"]) {
    await openDialog(signedIn, name);
    await approve(signedIn);
    await signedIn.waitForURL(/\/connections\/con_/);
  }
  await post("sandbox/api/traffic", { documents: DOCUMENTS, days: 1, seed: 7 });
  for (const scenario of ["document_fails", "automation_fails"]) await post("sandbox/api/scenarios", { scenario, pace: 0 });
  await post("sandbox/api/events", { type: "automation.triggered", fault: "missing_ids" });
  for (let n = 0; n < 4; n += 1) await post("sandbox/api/events", { type: "document.processed", fault: "wrong_signature" });
  await post("api/v1/destinations", { name: "Billing", url: "https://billing.example.com/webhooks" });
  const isWaiting = async () =>
    (await get<{ data: { state: string }[] }>("sandbox/api/deliveries")).data.some(({ state }) => state === "waiting");
  while (await isWaiting()) await sleep(500);
  // The worker applies the last ones and diagnoses what was rejected.
  await sleep(5000);
}

async function take(signedIn: Page, [name, address, theme, size]: Shot): Promise<void> {
  await signedIn.setViewportSize(size);
  await signedIn.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await signedIn.goto(address);
  await signedIn.waitForLoadState("networkidle").catch(() => undefined);
  await sleep(1500);
  await signedIn.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  say(`  docs/screenshots/${name}.png`);
}

async function post(address: string, body: unknown): Promise<void> {
  const response = await fetch(`${installation.url}/${address}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
}

async function get<T>(address: string): Promise<T> {
  const response = await fetch(`${installation.url}/${address}`, { headers });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function newest(list: string): Promise<string> {
  const { data } = await get<{ data: { id: string }[] }>(`api/v1/${list}`);
  if (!data[0]) throw new Error(`${list} is empty`);
  return data[0].id;
}
