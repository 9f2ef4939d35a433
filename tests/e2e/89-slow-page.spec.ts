import { callApi, signIn } from "./support/session.ts";
import { expect, holdBack, test } from "./support/watched-page.ts";

// A button is shown before the page is hydrated: what it is pressed for happens once it is, and once. (00-start presses one
// while React hydrates its part of the page.) Hydration moves nothing: a press between whose down and up the page moves is lost.

test.beforeEach(({ page }) => signIn(page));

test("a button that is pressed before any script has run does its work once", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/connections", { waitUntil: "commit" });
  const button = page.getByRole("button", { name: "Connect an account" }).first();
  await button.click();
  await button.click(); // as a person does when nothing happens
  letThrough();
  await expect(page.getByRole("dialog", { name: "Connect an account" })).toBeVisible();
});

test("a tab that is pressed before any script has run is selected", { tag: "@deep" }, async ({ page }) => {
  const { eventIds } = await callApi<{ eventIds: string[] }>("/sandbox/api/events", {
    type: "document.uploaded",
    data: { documentId: "doc_slow" },
  });
  const url = `/events/${eventIds[0]}`;
  await expect.poll(() => callApi(`/api/v1${url}`).catch(() => null), { timeout: 60_000 }).not.toBeNull();
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto(url, { waitUntil: "commit" });
  const tab = page.getByRole("tab", { name: "Request" });
  await tab.click();
  letThrough();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/tab=request/);
});

test("what is typed into a filter before any script has run stays, and takes effect", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/events", { waitUntil: "commit" });
  const search = page.getByRole("searchbox", { name: "Search IDs and payloads" });
  await search.fill("typed early");
  letThrough();
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === "typed early");
  await expect(search).toHaveValue("typed early");
});

test("a page that is scrolled before any script has run stays where it is", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/settings/alerts", { waitUntil: "commit" });
  const mute = page.getByRole("button", { name: "Mute Processing lag", exact: true });
  await mute.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(0);
  await mute.click();
  letThrough();
  await expect(page.getByRole("menuitem", { name: "Mute for 1 hour" })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
});
