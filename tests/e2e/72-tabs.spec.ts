import type { Page } from "@playwright/test";
import { sendEvent, signIn, signOut } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

// What strangers reported of products like this one: tests/field/tabs.test.ts has the sources.

/** More than the six connections that a browser has to a site over HTTP/1.1. */
const TABS = 7;

async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path, { timeout: 30_000 });
  return tab;
}

test("seven tabs over HTTP/1.1 all load, are live, and show the next event", async ({ page }) => {
  await page.goto("/events");
  const tabs = [page];
  while (tabs.length < TABS) tabs.push(await openTab(page, "/events"));
  for (const tab of tabs) await expect(tab.getByRole("button", { name: /^Live/ })).toBeVisible();
  const id = await sendEvent({ type: "document.processed", data: { documentId: "doc_of_seven_tabs" } });
  for (const tab of tabs) await expect(tab.locator(`tr[data-event="${id}"]`)).toBeVisible();
  // The one that has the feed is closed: another takes it over.
  await page.goto("about:blank");
  const next = await sendEvent({ type: "document.processed", data: { documentId: "doc_of_seven_tabs" } });
  for (const tab of tabs.slice(1)) await expect(tab.locator(`tr[data-event="${next}"]`)).toBeVisible();
  for (const tab of tabs.slice(1)) await tab.close();
});

test("a link opens its page in place, and in a tab of its own with Control held", async ({ page }) => {
  await page.goto("/documents");
  await page.evaluate(() => Object.assign(window, { kept: true }));
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" });
  const opened = page.context().waitForEvent("page");
  await link.click({ modifiers: ["ControlOrMeta"] });
  const tab = await opened;
  await expect(tab).toHaveURL(/\/tasks$/);
  await tab.close();
  await expect(page).toHaveURL(/\/documents$/);
  await link.click();
  await expect(page).toHaveURL(/\/tasks$/);
  // A reload would have lost it.
  expect(await page.evaluate(() => "kept" in window)).toBe(true);
});

test("where the browser forbids storage, signing out leads to the sign-in page", async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    Object.defineProperty(window, "localStorage", { get: refuse });
  });
  await page.goto("/documents");
  await signOut(page);
  await expect(page).toHaveURL(/\/sign-in/);
});
