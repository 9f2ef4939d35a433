import type { Page } from "@playwright/test";
import { figure } from "#tests/support/figure";
import { atSize } from "#tests/support/sample";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { MATRIX } from "./support/matrix.ts";
import { postSigned, signBody } from "./support/post-webhook.ts";
import { AGAIN_IF_RESET, callApi, fillSignIn, signIn } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";
import { XSS_STRINGS } from "./support/xss-strings.ts";

const COUNT = XSS_STRINGS.length;
/** The n-th text, counted round. */
const text = (n: number) => XSS_STRINGS[n % COUNT] ?? "";

/** Every text in some field of every payload: field k of event n holds text n + k, and metadata holds all of them, as names too. */
function payloads(n: number): [type: string, data: Record<string, unknown>][] {
  let k = 0;
  const next = () => text(n + k++);
  const all = Object.fromEntries(XSS_STRINGS.map((each, index) => [each, text(index + 1)]));
  const error = () => ({ code: next(), message: next() });
  const document = { documentId: `xss document ${next()}`, organizationId: next() };
  const task = { taskId: `xss task ${next()}`, organizationId: next() };
  const run = { automationId: `xss automation ${next()}`, automationName: next(), runId: `xss run ${next()}`, organizationId: next() };
  const pipeline = { pipelineId: `xss pipeline ${n % 6}`, pipelineName: next() };
  const integration = { integrationId: `xss integration ${next()}`, provider: next(), account: next() };
  return [
    ["document.uploaded", { ...document, fileName: next(), contentType: next(), source: next(), uploadedBy: next(), metadata: all }],
    ["document.processed", { ...document, status: next(), metadata: { ...all, fileName: next() } }],
    ["document.error", { ...document, error: error() }],
    ["document.deleted", { documentId: `xss deleted ${next()}`, deletedBy: next() }],
    ["task.created", { ...task, title: next(), ...pipeline, stage: next(), priority: next() }],
    ["task.assigned", { ...task, assignee: { name: next() }, team: next() }],
    ["task.completed", { ...task, completedBy: next(), outcome: next() }],
    ["pipeline.stage_changed", { ...task, ...pipeline, fromStage: next(), toStage: next(), movedBy: next() }],
    ["ai.classification_complete", { ...task, classification: next(), confidence: next(), model: next() }],
    ["automation.triggered", { ...run, trigger: next() }],
    ["automation.completed", { ...run, status: next(), durationMs: next(), steps: next() }],
    ["automation.error", { ...run, error: error() }],
    ["integration.connected", { ...integration, scopes: [next()], connectedBy: next() }],
    ["integration.token_refresh", { ...integration, expiresAt: next() }],
    ["integration.error", { ...integration, error: error() }],
    [`unknown ${next()}`, { [next()]: next() }],
  ];
}

async function deliver(id: string, type: string, data: unknown, secret = INSTALLATION.webhookSecret): Promise<void> {
  // Now: the newest of each list, whatever else is there.
  const body = JSON.stringify({ id, type, created: Math.floor(Date.now() / 1000), data });
  // Header values can't hold line ends; all else of the texts travels.
  const note = text(body.length).replaceAll(/[^\x20-\x7e]/g, "");
  await postSigned(body, { signature: signBody(body, secret), headers: { "user-agent": note } });
}

let sent = 0;

test.beforeAll(async () => {
  for (let n = MATRIX.seed % 10; n < COUNT; n += atSize(1, 20)) {
    const events = payloads(n);
    await Promise.all(events.map(([type, data], index) => deliver(`evt xss ${n} ${index} ${text(n)}`, type, data)));
    sent += events.length;
  }
  await deliver(`refused ${text(0)}`, text(1), { all: XSS_STRINGS }, "a wrong secret");
  await expect.poll(pendingEvents, { timeout: 60_000 }).toBe(0);
});

const pendingEvents = async () => (await callApi<{ data: unknown[] }>("/api/v1/events?state=pending&limit=1")).data.length;

/** No element of the page came from a payload, and no address of it runs a script. */
const foreignElements = (page: Page) =>
  page.evaluate(() => {
    const hostile = (element: Element) =>
      [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith("on") || (/^(href|src|action|formaction|xlink:href)$/.test(name) && /^\s*(javascript|data:text)/i.test(value)),
      );
    return [...document.querySelectorAll("*")]
      .filter(
        (element) =>
          hostile(element) ||
          (element.matches("script,style,iframe,object,embed,base,marquee") &&
            element.textContent?.includes("xssRan") &&
            !element.matches("script[nonce]")),
      )
      .map((element) => element.outerHTML.slice(0, 200));
  });

async function lookAt(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  expect(await foreignElements(page), address).toEqual([]);
}

/** Records of a list whose ids hold a hostile text. */
async function hostileIds(path: string, count: number): Promise<string[]> {
  const { data } = await callApi<{ data: { id: string }[] }>(`${path}${path.includes("?") ? "&" : "?"}limit=200`);
  return data
    .map(({ id }) => id)
    .filter((id) => id.includes("xss"))
    .slice(0, count);
}

const KINDS = ["documents", "tasks", "pipelines", "automations", "runs", "integrations"];

test("sixty hostile texts in every field of every payload run nowhere", async ({ page }) => {
  test.setTimeout(400_000);
  await signIn(page);
  let looked = 0;
  const look = async (address: string) => {
    await lookAt(page, address);
    looked += 1;
  };
  for (const address of [
    "/",
    "/events",
    "/issues",
    "/quarantine",
    "/sandbox",
    ...KINDS.filter((kind) => kind !== "runs").map((kind) => `/${kind}`),
  ])
    await look(address);
  for (const kind of KINDS)
    for (const id of await hostileIds(`/api/v1/${kind}`, atSize(4, 1))) await look(`/${kind}/${encodeURIComponent(id)}`);
  for (const id of await hostileIds("/api/v1/events", atSize(16, 2))) await look(`/events/${encodeURIComponent(id)}`);
  for (const id of await hostileIds("/api/v1/events?q=unknown", 1)) await look(`/events?event=${encodeURIComponent(id)}`);
  const [refused] = (await callApi<{ data: { id: string }[] }>("/api/v1/quarantine?limit=1")).data;
  await look(`/quarantine/${refused?.id}`);
  expect(looked).toBeGreaterThanOrEqual(20);
  figure(
    `${COUNT} hostile texts in every field of ${sent} webhooks, ${looked} pages looked at: 0 ran, 0 became an element, 0 violations of the policy`,
  );
});

test("an opened event shows hostile payload, headers and effects as text", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  const [id] = await hostileIds("/api/v1/events?type=document.processed", 1);
  await lookAt(page, `/events/${encodeURIComponent(id ?? "")}`);
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    expect(await foreignElements(page), await tab.innerText()).toEqual([]);
  }
});

test("hostile texts in addresses run nowhere, and lead nowhere after sign-in", { tag: "@deep" }, async ({ page }) => {
  for (let n = MATRIX.seed % 12; n < COUNT; n += atSize(3, 12)) {
    const [error = "", returnTo = "", callbackUrl = ""] = [text(n), text(n + 1), text(n + 2)];
    await page.goto(`/sign-in?${new URLSearchParams({ error, returnTo, callbackUrl })}`);
    expect(await foreignElements(page), error).toEqual([]);
  }
  await page.goto(`/sign-in?returnTo=${encodeURIComponent("javascript:xssRan()")}`);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page).toHaveURL(`${baseUrl()}/`);
  for (const each of XSS_STRINGS.slice(0, atSize(6, 1)))
    await lookAt(page, `/events?q=${encodeURIComponent(each)}&type=${encodeURIComponent(each)}`);
});

test("the resizer of images, which no page uses, answers nobody", { tag: "@deep" }, async ({ request }) => {
  for (const image of ["/icon-192.png", "/icon.svg"])
    expect((await request.get(`/_next/image?url=${encodeURIComponent(image)}&w=64&q=75`, AGAIN_IF_RESET)).status()).toBe(404);
});

test("every page comes with a policy whose nonce is new each time, and every answer with the other headers", async ({ request }) => {
  const [first, second] = [await request.get("/sign-in", AGAIN_IF_RESET), await request.get("/sign-in", AGAIN_IF_RESET)];
  const nonces = [first, second].map((answer) => /'nonce-([\w+/=-]{22,})'/.exec(answer.headers()["content-security-policy"] ?? "")?.[1]);
  expect(nonces[0]).toBeTruthy();
  expect(nonces[0]).not.toBe(nonces[1]);
  const policy = first.headers()["content-security-policy"];
  expect(policy).toContain("'strict-dynamic'");
  expect(/script-src [^;]*/.exec(policy ?? "")?.[0]).not.toMatch(/unsafe/);
  for (const tag of (await first.text()).match(/<script[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonces[0]}"`);
  for (const address of ["/", "/sign-in", "/nowhere", "/nowhere.txt", "/api/v1/events", "/api/v1/openapi.json", "/health/live"]) {
    const headers = (await request.get(address, AGAIN_IF_RESET)).headers();
    expect(headers, address).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["content-security-policy"], address).toContain("frame-ancestors 'none'");
    expect(headers["permissions-policy"], address).toContain("camera=()");
    expect(headers, address).not.toHaveProperty("x-powered-by");
  }
});
