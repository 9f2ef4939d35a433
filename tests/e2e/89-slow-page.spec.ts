import { callApi, sendEvent, signIn, untilState } from "./support/session.ts";
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

// A click on a row is answered by what the list knows already. No time is asserted: on a busy machine it would say nothing.

test("a click on a row shows the event beside the list before its details have come, which are asked for as the button goes down", {
  tag: "@deep",
}, async ({ page }) => {
  await untilState(await sendEvent({ type: "document.processed", data: { documentId: "doc_at_once" } }), "processed");
  // Whatever is applied meanwhile, of any event, would be a reason to ask for this one again.
  await holdBack(page, /\/api\/v1\/feed/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/events?resource=doc_at_once");
  const row = page.locator("tr[data-event]").first();
  const id = await row.getAttribute("data-event");
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/api/v1/events/${id}`, async (route) => {
    asked += 1;
    await held;
    await route.continue();
  });
  await row.locator("a[data-row-link]").hover();
  await page.mouse.down();
  await expect.poll(() => asked).toBe(1);
  await expect(page.locator("aside[data-event-id]")).toHaveCount(0);
  const began = performance.now();
  await page.mouse.up();
  const inspector = page.locator(`aside[data-event-id="${id}"]`);
  await expect(inspector.getByRole("heading", { name: "Document processed" })).toBeVisible();
  process.stdout.write(`the event beside the list: ${(performance.now() - began).toFixed(0)} ms after the click\n`);
  await expect(inspector.getByText("Processed", { exact: true })).toBeVisible();
  await expect(inspector.getByRole("tabpanel")).toHaveCount(0);
  answer();
  await expect(inspector.getByRole("tabpanel")).toBeVisible();
  expect(asked).toBe(1);
});

test("a page that is opened asks for nothing that its links lead to, and for the page of a link that is pointed at or focused", {
  tag: "@deep",
}, async ({ page }) => {
  const ahead: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"] !== undefined) ahead.push(new URL(request.url()).pathname);
  });
  const asked = () => [...new Set(ahead)];
  await page.goto("/documents");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Tasks" }).hover();
  await expect.poll(asked).toEqual(["/tasks"]);
  await navigation.getByRole("link", { name: "Pipelines" }).focus();
  await expect.poll(asked).toEqual(["/tasks", "/pipelines"]);
});
