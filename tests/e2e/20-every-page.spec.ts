import type { Page } from "@playwright/test";
import { valuesOf } from "#tests/support/sample";
import { baseUrl } from "./support/installation.ts";
import { MATRIX } from "./support/matrix.ts";
import { approve, callApi, firstOf, learntType, openDialog, signIn } from "./support/session.ts";
import { expect, expectAccessible, narrowToPhone, test } from "./support/watched-page.ts";

// The workers share them.
test.describe.configure({ mode: "parallel" });

/** Every page, with what its address needs. The pages of a group are opened one after the other in one window: each new one costs a process. */
const PAGES: Record<string, Record<string, () => Promise<string>>> = {
  events: {
    overview: async () => "/",
    events: async () => "/events",
    "events, nothing matches": async () => "/events?q=nothing-is-called-that",
    "an event": async () => `/events/${(await firstOf("/api/v1/events")).id}`,
    "an event beside the list": async () => `/events?event=${(await firstOf("/api/v1/events")).id}`,
    "re-deliveries": async () => "/redeliveries",
    "a re-delivery": async () => `/redeliveries/${(await redeliverFirst()).id}`,
  },
  problems: {
    failures: async () => "/issues",
    "an issue": async () => `/issues/${(await firstOf("/api/v1/issues")).id}`,
    "missing events": async () => "/missing-events",
    "missing events, closed": async () => "/missing-events?state=closed",
    refused: async () => "/quarantine",
    "a refused request": async () => `/quarantine/${(await firstOf("/api/v1/quarantine")).id}`,
  },
  "connections and destinations": {
    connections: async () => "/connections",
    "a connection": async () => `/connections/${(await firstOf("/api/v1/connections")).id}`,
    destinations: async () => "/destinations",
    "a destination": async () => `/destinations/${(await firstOf("/api/v1/destinations")).id}`,
    "a delivery": async () => `/deliveries/${(await firstOf("/api/v1/deliveries")).id}`,
    alerts: async () => "/settings/alerts",
  },
  "documents and tasks": {
    documents: async () => "/documents",
    "a document": async () => `/documents/${(await firstOf("/api/v1/documents")).id}`,
    tasks: async () => "/tasks",
    "a task": async () => `/tasks/${(await firstOf("/api/v1/tasks")).id}`,
    "a task of the past": async () => {
      const { id } = await firstOf("/api/v1/tasks?state=completed");
      return `/tasks/${id}?asOf=${await firstMoment("task", id)}`;
    },
  },
  "pipelines, automations and integrations": {
    pipelines: async () => "/pipelines",
    "a pipeline": async () => `/pipelines/${(await firstOf("/api/v1/pipelines")).id}`,
    "the board of the past": async () => `/pipelines/pipe_invoices?asOf=${await firstMoment("pipeline", "pipe_invoices")}`,
    automations: async () => "/automations",
    "an automation": async () => `/automations/${(await firstOf("/api/v1/automations")).id}`,
    "a run": async () => `/runs/${(await firstOf("/api/v1/runs")).id}`,
    integrations: async () => "/integrations",
    "other records": async () => "/records",
    "an integration": async () => `/integrations/${(await firstOf("/api/v1/integrations")).id}`,
    "event types": async () => "/event-types",
    "an event type": async () => `/event-types/${await learntType("document.processed")}`,
  },
  settings: {
    settings: async () => "/settings",
    sources: async () => "/settings/sources",
    "signature playground": async () => "/settings/sources/signature",
    outages: async () => "/settings/outages",
    "field mapping": async () => "/settings/field-mapping",
    keys: async () => "/settings/keys",
    members: async () => "/settings/members",
  },
  "more settings": {
    roles: async () => "/settings/roles",
    "your account": async () => "/settings/account",
    "the audit log": async () => "/settings/audit",
    retention: async () => "/settings/retention",
    "the records against the log": async () => "/settings/records",
    backups: async () => "/settings/backups",
  },
  "what explains and tries out": {
    documentation: async () => "/docs",
    "a page of the documentation": async () => "/docs/configuration",
    "API reference": async () => "/api-reference",
    "an operation of the API": async () => "/api-reference/postSources",
    "a schema of the API": async () => "/api-reference/schemas/Event",
    sandbox: async () => "/sandbox",
    "the sandbox's other senders": async () => "/sandbox/senders",
    "the receiving app": async () => "/sandbox/receiving-app",
  },
};

const redeliverFirst = async () => callApi<{ id: string }>(`/api/v1/events/${(await firstOf("/api/v1/events")).id}/redeliver`, {});

/** One of each layout that is another on a phone. */
const PHONE = new Set([
  "overview",
  "events",
  "an event",
  "a connection",
  "tasks",
  "a task",
  "a pipeline",
  "an event type",
  "members",
  "your account",
]);

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage({ baseURL: baseUrl() });
  await provision(page);
  await page.close();
});

/** Returns when the first of the events came to be that tell of a record, as an address holds it. */
async function firstMoment(kind: string, id: string): Promise<string> {
  const { data } = await callApi<{ data: { at: string }[] }>(`/api/v1/views/${kind}/${id}/moments`);
  return encodeURIComponent(data[0]?.at ?? "");
}

for (const [group, pages] of Object.entries(PAGES))
  test.describe(group, () => {
    test("axe finds nothing, no width scrolls a page sideways, and its scripts weigh at most 200 kB until it is idle", async ({ page }) => {
      test.setTimeout(400_000);
      await signIn(page);
      for (const [turn, [name, address]] of Object.entries(pages).entries()) await test.step(name, () => lookAt(page, name, address, turn));
    });
  });

async function lookAt(page: Page, name: string, address: () => Promise<string>, turn: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(await address());
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expectAccessible(page, valuesOf(MATRIX, ["light", "dark"], turn));
  await expect.poll(() => overflow(page), name).toBeLessThanOrEqual(0);
  await expectLight(page, name);
  await narrowToPhone(page);
  await expect.poll(() => overflow(page), name).toBeLessThanOrEqual(0);
  // An event beside the list moves to its own page.
  if (name === "an event beside the list") await expect(page).toHaveURL(/\/events\/evt_/);
  await expect(page).toHaveTitle(/./);
  if (MATRIX.all && PHONE.has(name)) await expectAccessible(page);
}

/** Bytes of JavaScript that a page may bring by itself, as they come over the line. */
const MAX_SCRIPT_BYTES = 200_000;

async function expectLight(page: Page, name: string): Promise<void> {
  const { scripts, bytes } = await scriptBytes(page);
  process.stdout.write(`${name}: ${(bytes / 1000).toFixed(1)} kB of JavaScript in ${scripts} scripts\n`);
  expect(scripts, name).toBeGreaterThan(5);
  expect.soft(bytes, `${name}: bytes of JavaScript until idle`).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
}

test("the pages before the sign-in are as light", async ({ page }) => {
  for (const path of ["/sign-in", "/join?token=none", "/setup?token=none"]) {
    await page.goto(path);
    await expectLight(page, path);
  }
});

test("what streams in is taken over where it stands, and not drawn a second time", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  await page.addInitScript(() => {
    const seen = { streamed: false, twice: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.querySelector("body > div[hidden][id^='S:'] h1") === null) return;
      seen.streamed = true;
      if (document.querySelector("#content h1") !== null) seen.twice = true;
    }).observe(document, { childList: true, subtree: true });
  });
  // Streaming depends on how soon the server has the page: as many loads as show it twice.
  let streamed = 0;
  for (let load = 0; load < 20 && streamed < 2; load += 1) {
    await page.goto("/events");
    const seen = await page.evaluate(() => (window as unknown as { seen: { streamed: boolean; twice: boolean } }).seen);
    expect(seen.twice).toBe(false);
    if (seen.streamed) streamed += 1;
  }
  expect(streamed).toBeGreaterThan(0);
});

/** By which a script comes later that the page does not name itself. */
const LATE_MS = 1000;

for (const [group, pages] of Object.entries(PAGES))
  test(`${group}: a part whose script comes late is taken over as the server drew it`, { tag: "@deep" }, async ({ page }) => {
    test.setTimeout(400_000);
    await signIn(page);
    let named = "";
    await page.route("**/_next/static/**/*.js", async (route) => {
      if (!named.includes(new URL(route.request().url()).pathname)) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      await route.continue();
    });
    for (const [name, address] of Object.entries(pages)) {
      const url = await address();
      const tabs = name === "an event" ? ["", "?tab=request", "?tab=delivery", "?tab=effects", "?tab=related"] : [""];
      for (const tab of tabs)
        await test.step(`${name} ${tab}`, async () => {
          named = await (await page.request.get(`${url}${tab}`)).text();
          await page.goto(`${url}${tab}`);
        });
    }
  });

/** Returns how far the page can be scrolled sideways, in pixels. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** No script has come for this long: the page has what it loads by itself. Milliseconds. */
const IDLE_MS = 500;

/** All JavaScript that a page has loaded by itself: its script tags, what it imported after them, and what it fetched ahead. */
type ScriptBytes = { scripts: number; bytes: number };

/** Returns what a page's scripts weigh as they came over the line (or came, to a browser that has them still), once none has come for a while. */
async function scriptBytes(page: Page): Promise<ScriptBytes> {
  await page.waitForFunction((idleMs) => {
    const ends = performance
      .getEntriesByType("resource")
      .flatMap(({ name, startTime, duration }) => (/\.js(\?|$)/.test(name) ? startTime + duration : []));
    return document.readyState === "complete" && performance.now() - Math.max(0, ...ends) > idleMs;
  }, IDLE_MS);
  return page.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const sizes = new Map(entries.flatMap(({ name, encodedBodySize }) => (/\.js(\?|$)/.test(name) ? [[name, encodedBodySize]] : [])));
    return { scripts: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
  });
}

/** Brings about one of everything that a page can show, signed in as the owner, and waits until it is there. */
async function provision(page: Page): Promise<void> {
  await signIn(page);
  await openDialog(page, "Acme production");
  await approve(page);
  await expect(page).toHaveURL(/\/connections\/con_/);
  const destination = await callApi<{ id: string }>("/api/v1/destinations", { name: "Billing", url: "https://app.example.com/webhooks" });
  await callApi(`/api/v1/destinations/${destination.id}/pause`, {});
  for (const scenario of ["document_to_done", "document_fails", "automation_run", "automation_fails", "integration_lifecycle"])
    await callApi("/sandbox/api/scenarios", { scenario, pace: 0 });
  for (const fault of ["missing_ids", "wrong_signature"]) await callApi("/sandbox/api/events", { type: "automation.triggered", fault });
  await callApi("/api/v1/redeliveries", { filter: {}, name: "A name as long as a name of a re-delivery may well become" });
  await callApi("/api/v1/views/rebuilds", { dryRun: true });
  for (const list of [
    "integrations",
    "automations",
    "tasks?state=completed",
    "documents?failed=true",
    "issues",
    "quarantine",
    "deliveries",
  ])
    await firstOf(`/api/v1/${list}`);
}
