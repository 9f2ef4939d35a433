import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { postSigned, signBody } from "./support/post-webhook.ts";
import { fillSignIn, firstOf, openDialog, redeliver, signIn, signOut } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// The main job, in the order in which a newcomer does it; each test goes on
// where the one before it stopped.
test.describe.configure({ mode: "serial" });

test("a wrong password shows an error and opens nothing; the right one opens the requested page", async ({ browser }) => {
  const page = await browser.newPage({ baseURL: baseUrl() }); // the refusal shows on the console: not a watched page
  await page.goto("/sign-in");
  await fillSignIn(page, INSTALLATION.ownerEmail, "not the password");
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.goto("/events");
  await expect(page).toHaveURL(/\/sign-in/);
  await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
  await expect(page).toHaveURL(/\/events/);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.close();
});

test("connecting: deny comes back with the cause, approve comes back connected", async ({ page }) => {
  await signIn(page);
  await openDialog(page, "Acme production");
  await expect(page.getByText("documents:read").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page).toHaveURL(/\/connections\/con_/);
  await expect(page.getByText(/denied|cancelled/i).first()).toBeVisible();
  await page.getByRole("button", { name: "Connect", exact: true }).first().click();
  await expect(page).toHaveURL(/\/sandbox\/oauth\/authorize/);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL(/\/connections\/con_/);
  expect(page.url()).not.toMatch(/code=|state=/);
  await expect(page.getByText("Connected").first()).toBeVisible();
});

test("a scenario run by the sandbox shows live: document, task and board follow the signed webhooks", async ({ page }) => {
  await signIn(page);
  await page.goto("/events");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const sandbox = await page.context().newPage();
  await sandbox.goto("/sandbox");
  await sandbox.getByRole("button", { name: "Run scenario" }).click();
  // The list was open before the scenario began: every row below came over the live feed.
  await expect(page.getByRole("row", { name: /Task completed/ }).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("row", { name: /Document uploaded/ }).first()).toBeVisible();
  await expect(page.getByRole("row", { name: /Task completed.*/ }).first()).toContainText("Processed");
  await sandbox.close();

  const document = await firstOf("/api/v1/documents");
  await page.goto(`/documents/${document.id}`);
  await expect(page.getByText("Processed", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /Document processed/ }).first()).toBeVisible();
  await page.goto("/tasks");
  await expect(page.getByText("Completed").first()).toBeVisible();
  await page.goto("/pipelines/pipe_invoices");
  for (const stage of ["Inbox", "Review"]) await expect(page.getByText(stage, { exact: true }).first()).toBeVisible();
});

test("a webhook signed by hand is taken, a changed byte is quarantined with its reason", async ({ page }) => {
  const body =
    '{"id":"evt_by_hand","type":"document.processed","created":1760000000,"data":{"documentId":"doc_by_hand","organizationId":"org_1","status":"completed","metadata":{}}}';
  const signature = signBody(body);
  expect(await postSigned(body)).toBe(200);
  expect(await postSigned(body.replace("doc_by_hand", "doc_by_hanD"), { signature })).toBe(401);
  await signIn(page);
  await page.goto("/quarantine");
  await expect(page.getByText("Its signature does not match the body.").first()).toBeVisible();
  await page.goto("/events/evt_by_hand");
  await expect(page.getByRole("heading", { name: "Document processed" })).toBeVisible();
});

test("an event that fails says why, and re-delivering it shows the new attempt", async ({ page }) => {
  await signIn(page);
  await page.goto("/sandbox");
  await page.getByRole("heading", { name: "Simulate faults" }).click();
  await page.getByRole("button", { name: /^Send .*ids/i }).click();
  await expect.poll(async () => (await firstOf("/api/v1/events?state=failed")).state, { timeout: 60_000 }).toBe("failed");
  await page.goto("/issues");
  await expect(page.getByText(/has no document ID/).first()).toBeVisible();
  const failed = await firstOf("/api/v1/events?state=failed");
  await page.goto(`/events/${failed.id}`);
  await expect(page.getByText(/has no document ID/).first()).toBeVisible();
  await redeliver(page);
  await page.getByRole("tab", { name: "Delivery" }).click();
  await expect(page.getByText(/Attempt 2 failed/)).toBeVisible({ timeout: 60_000 });
});

test("re-delivering what was applied is harmless and says so", async ({ page }) => {
  await signIn(page);
  await page.goto("/events/evt_by_hand");
  await redeliver(page);
  await page.getByRole("tab", { name: "Delivery" }).click();
  await expect(page.getByText(/Attempt 2 applied/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Processed", { exact: true }).first()).toBeVisible();
});

test("signing out ends the session: the old cookie opens nothing", async ({ page, context }) => {
  await signIn(page);
  await page.goto("/");
  const cookies = await context.cookies();
  await signOut(page);
  await expect(page).toHaveURL(/\/sign-in/);
  await context.addCookies(cookies);
  await page.goto("/events");
  await expect(page).toHaveURL(/\/sign-in/);
});
