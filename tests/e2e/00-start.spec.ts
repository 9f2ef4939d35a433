import { baseUrl, INSTALLATION, setupUrl, WORKERS } from "./support/installation.ts";
import { searchSecrets } from "./support/secret-search.ts";
import { AGAIN_IF_RESET, approve, fillSignIn } from "./support/session.ts";
import { startInstallation } from "./support/start-installations.ts";
import { countClicks, expect, expectAccessible, expectAccessibleOnPhone, test } from "./support/watched-page.ts";

// The first person at an installation that nobody owns yet; each test continues where the one before it stopped,
// and none can be tried again: the owner is made once.

test.describe.configure({ mode: "serial", retries: 0 });
/** An installation that is no worker's, and nobody's yet. It runs as long as this file. */
const UNOWNED = WORKERS;

test.use({ baseURL: baseUrl(UNOWNED) });

let stop = async () => {};
test.beforeAll(async () => {
  stop = await startInstallation(UNOWNED);
});
test.afterAll(() => stop());

test("a person who has no session is shown the way in; the one-time link makes the owner, once", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/(sign-in|setup)/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const link = setupUrl(UNOWNED);
  expect(link).toContain(baseUrl(UNOWNED));
  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill(INSTALLATION.ownerEmail);
  await page.getByLabel("Password").fill(INSTALLATION.ownerPassword);
  await page.getByLabel("Workspace").fill("Acme");
  await page.getByRole("button", { name: /create/i }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.goto("about:blank"); // else the page that was left asks for news, as nobody
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByLabel("Your name")).toBeHidden();
});

test("from sign-in to connected: two clicks", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/sign-in");
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page.getByText("1 of 3 steps done")).toBeVisible();
  const clicks = await countClicks(page);
  // As slow as a phone: the button is there for a second before its part of the page is hydrated.
  await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.reload(); // the counter listens from the next page on
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await approve(page);
  await expect(page).toHaveURL(/\/connections\/con_/);
  await expect(page.getByText("Connected", { exact: true }).first()).toBeVisible();
  expect(clicks()).toBe(2);
});

test("set-up step 3 gives what the platform needs, and ticks the moment the event is in", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/sign-in");
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page.getByText("2 of 3 steps done")).toBeVisible();
  await page.goto("/");
  const url = `${baseUrl(UNOWNED)}/webhooks/platform`;
  await page.getByText("Send one from your own code").click();
  await expect(page.getByRole("button", { name: "Copy URL" })).toBeVisible();
  for (const language of ["Node.js", "Python", "Go", "PHP", "Ruby", "curl"]) {
    await page.getByRole("button", { name: language, exact: true }).click();
    await expect(page.getByRole("figure")).toContainText(url);
    await expect(page.getByRole("figure")).toContainText("WEBHOOK_SECRET");
  }
  await page.getByRole("button", { name: "Generate signing secret" }).click();
  await expect(page.getByText("The sandbox signs with it already.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy secret" })).toBeVisible();
  await expectAccessibleOnPhone(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  // A request that does not verify is said, not swallowed.
  // A busy machine may answer 503 first.
  await expect.poll(async () => (await page.request.post(url, { data: { id: "evt_x" }, ...AGAIN_IF_RESET })).status()).toBe(401);
  await expect(page.getByText("1 request arrived and was rejected.")).toBeVisible({ timeout: 60_000 });

  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await expect(page.getByText("3 of 3 steps done")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Signalbox is set up" })).toBeVisible();
  await page.getByRole("link", { name: "View the event" }).click();
  await expect(page.getByRole("heading", { name: "Document processed" })).toBeVisible();
  // The generated secret was shown once.
  await page.goto("/settings/sources");
  await expect(page.getByRole("button", { name: "Copy secret" })).toBeHidden();
});

test("no secret stands in the log, in the database or in any answer of the API, also not the token of the link", {
  tag: "@deep",
}, async () => {
  const { names, found } = await searchSecrets(UNOWNED);
  expect(names).toContain("setupToken");
  expect(found).toEqual([]);
});
