import type { Page } from "@playwright/test";
import { callApi, firstOf, signIn } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

// A click on a row is answered by what the list knows already. No time is asserted: on a busy machine it would say nothing.

test("a click on a row shows the event beside the list before its details have come, which are asked for as the button goes down", async ({
  page,
}) => {
  await signIn(page);
  await callApi("/sandbox/api/events", { type: "document.processed", data: { documentId: "doc_at_once" } });
  await firstOf("/api/v1/events?resource=doc_at_once");
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

/** Counts the requests for a page of the app, which Next marks with a parameter of its own. */
function countPages(page: Page, path: string): () => number {
  let asked = 0;
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === path && searchParams.has("_rsc") && request.headers()["next-router-prefetch"] === undefined) asked += 1;
  });
  return () => asked;
}

test("a page that was visited a moment ago is shown without asking for it, and one that the pointer rests on is fetched ahead", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/quarantine");
  const link = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  const asked = countPages(page, "/issues");
  await link("Issues").hover();
  await expect.poll(asked).toBe(1);
  await link("Issues").click();
  await expect(page.getByRole("search", { name: "Filter issues" })).toBeVisible();
  await link("Quarantine").click();
  await expect(page.getByRole("search", { name: "Filter quarantined requests" })).toBeVisible();
  await link("Issues").click();
  await expect(page.getByRole("search", { name: "Filter issues" })).toBeVisible();
  expect(asked()).toBe(1);
});

test("a page that was fetched ahead shows what has changed since", async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/roles");
  await expect(page.getByRole("button", { name: /Live/ }).first()).toBeVisible();
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Documents" });
  const asked = countPages(page, "/documents");
  await link.hover();
  await expect.poll(asked).toBe(1);
  await page.mouse.move(800, 500);
  const documentId = `doc_since_${Date.now()}`;
  await callApi("/sandbox/api/events", { type: "document.processed", data: { documentId, fileName: "since.pdf" } });
  await expect.poll(() => callApi(`/api/v1/documents/${documentId}`).catch(() => null)).not.toBeNull();
  // The feed has told this browser, too.
  await page.waitForTimeout(1000);
  await link.click();
  await expect(page.locator(`a[href="/documents/${documentId}"]`)).toBeVisible({ timeout: 5000 });
  expect(asked()).toBe(1);
});
