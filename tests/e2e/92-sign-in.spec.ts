import { expect, type Page, type Request, test } from "@playwright/test";
import { baseUrl, INSTALLATION } from "./support/installation.ts";
import { queryInstallation } from "./support/installation-database.ts";
import { AGAIN_IF_RESET, fillSignIn, sendEvent, signIn, signOut, untilState } from "./support/session.ts";
import { holdBack } from "./support/watched-page.ts";

test.describe.configure({ mode: "serial" });

// The files that follow on this installation sign in from the stranger's network.
test.afterAll(async () => void (await queryInstallation("DELETE FROM sign_in_failures")));

const WRONG = "wrong-wrong-wrong";

test("what is typed before the page is alive stays, and signs in", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByLabel("Email").fill(INSTALLATION.ownerEmail);
  await page.getByLabel("Password").fill(INSTALLATION.ownerPassword);
  letThrough();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
});

test("an address with the error of an earlier try signs in like any other", { tag: "@deep" }, async ({ page }) => {
  for (const query of ["error=AccessDenied", `error=OAuthCallback&returnTo=${encodeURIComponent("/events?error=1")}`]) {
    await page.goto(`/sign-in?${query}`);
    await expect(page.getByRole("alert").first()).toBeVisible();
    await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
    await expect(page).not.toHaveURL(/\/sign-in/);
    await signOut(page);
    await expect(page).toHaveURL(/\/sign-in/);
  }
});

test("what a page still reads at sign-out is not asked for any more, and sends nobody back to that page", { tag: "@deep" }, async ({
  page,
}) => {
  const id = await sendEvent({ type: "document.processed", data: { documentId: "doc_sign_out" } });
  await untilState(id, "processed");
  await signIn(page);
  const letRead = await holdBack(page, `**/api/v1/events/${id}`);
  const letLeave = await holdBack(page, /\/sign-in/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/events?resource=doc_sign_out");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  const asked = page.waitForRequest(`**/api/v1/events/${id}`);
  await page.locator(`tr[data-event="${id}"] a[data-row-link]`).click();
  const reading = await asked;
  const isFeed = (request: Request) => request.url().includes("/api/v1/feed");
  const left = page.waitForRequest(/\/sign-in/);
  const closed = page.waitForEvent("requestfailed", isFeed);
  const opened: string[] = [];
  page.on("request", (request) => {
    if (isFeed(request)) opened.push(request.url());
  });
  await signOut(page);
  await left;
  await closed;
  letRead();
  expect(await reading.response()).toBe(null);
  letLeave();
  await expect(page).toHaveURL(`${baseUrl()}/sign-in`);
  expect(opened).toEqual([]);
});

test("who is held up is told for how long, in words", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/sign-in");
  for (let tries = 0; tries < 11; tries++) {
    await fillSignIn(page, "ghost@example.com", WRONG);
    await expect(page.getByRole("alert").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
  }
  await expect(page.getByText("Too many failed attempts. Wait a minute, then try again")).toBeVisible();
});

test("a password change ends the other browser, keeps this one, and the old password opens nothing", { tag: "@deep" }, async ({
  page,
  browser,
}) => {
  const member = await makeMember(page, "cara@example.com", "tram-violet-7-lake");
  const other = await browser.newPage({ baseURL: baseUrl() });
  await other.goto("/sign-in");
  await fillSignIn(other, member, "tram-violet-7-lake");
  await expect(other).toHaveURL(`${baseUrl()}/`);

  await page.goto("/settings/account");
  await expect(page.getByRole("listitem").filter({ hasText: "last used" })).toHaveCount(2);
  await page.getByLabel("Current password").fill("not-the-present-one");
  await page.getByLabel("New password").fill("another-violet-tram");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The current password is incorrect.")).toBeVisible();
  await page.getByLabel("Current password").fill("tram-violet-7-lake");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "last used" })).toHaveCount(1);
  await expect(other).toHaveURL(/\/sign-in/);
  await fillSignIn(other, member, "tram-violet-7-lake");
  await expect(other.getByText("Incorrect email address or password.")).toBeVisible();
  await other.close();
  expect((await page.request.get("/api/v1/session", AGAIN_IF_RESET)).status()).toBe(200);
});

/** Joins by a link of the owner's, in this page. @returns the address */
async function makeMember(page: Page, email: string, password: string): Promise<string> {
  const headers = { authorization: `Bearer ${INSTALLATION.apiKey}`, "content-type": "application/json" };
  const made = await fetch(`${baseUrl()}/api/v1/invitations`, { method: "POST", headers, body: JSON.stringify({ role: "developer" }) });
  const { url } = (await made.json()) as { url: string };
  await page.goto(url);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: /^Join/ }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  return email;
}
