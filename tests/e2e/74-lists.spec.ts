import { archiveAddedSources } from "./support/installation-database.ts";
import { callApi, sendEvent, signIn, untilFailed } from "./support/session.ts";
import { expect, expectAccessible, holdBack, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

// What all lists have in common: one row of filters, one time range, columns of the payload's fields.

test.afterAll(archiveAddedSources);

test("payload fields of the log are columns and filters of the list, by keyboard", { tag: "@deep" }, async ({ page }) => {
  await sendEvent({ type: "document.processed", data: { documentId: "doc_fields", status: "completed", desk: "north" } });
  await expect
    .poll(async () => (await callApi<{ data: { path: string }[] }>("/api/v1/events/fields")).data.map(({ path }) => path))
    .toContain("data.desk");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/events?type=document.processed");
  await page.getByRole("button", { name: "Columns", exact: true }).press("Enter");
  const columns = page.getByRole("dialog", { name: "Columns" });
  await columns.getByLabel("Find a payload field").fill("desk");
  await columns.getByRole("checkbox", { name: "data.desk" }).press("Space");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "desk" })).toBeVisible();
  const row = page.locator("tr[data-event]", { hasText: "north" }).first();
  await expect(row).toBeVisible();
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(37);

  // It is kept in the browser, and what arrives later has it too.
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "desk" })).toBeVisible();
  await sendEvent({ type: "document.processed", data: { documentId: "doc_fields", status: "completed", desk: "south" } });
  await expect(page.getByRole("cell", { name: /^south/ }).first()).toBeVisible();

  // A value is a filter of its own.
  await page.getByRole("button", { name: "south: filter by this value" }).first().press("Enter");
  await expect(page).toHaveURL(/q=data\.desk%3Asouth/);
  await expect(page.locator("tr[data-event]", { hasText: "north" })).toHaveCount(0);
  await page.goBack();
  await expect(row).toBeVisible();

  await page.getByRole("button", { name: "More", exact: true }).press("Enter");
  const more = page.getByRole("dialog", { name: "More filters" });
  await more.getByRole("combobox", { name: "Payload field" }).press("Enter");
  await expect(page.getByRole("listbox", { name: "Payload field" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("option", { name: "data.desk", exact: true }).press("Enter");
  const value = more.getByLabel("Value");
  if ((await value.getAttribute("role")) === "combobox") {
    await value.press("Enter");
    await page.getByRole("option", { name: "north" }).press("Enter");
  } else await value.fill("north");
  await expectAccessible(page);
  await more.getByRole("button", { name: "Add to search" }).press("Enter");
  await expect(page).toHaveURL(/q=data\.desk%3Anorth/);
  await page.keyboard.press("Escape");
  await expect(page.locator("tr[data-event]", { hasText: "south" })).toHaveCount(0);
  await expect(row).toBeVisible();
});

test("every list has the same row of filters, clears them with one button, and issues keep it in one line at 1,440 px", {
  tag: "@deep",
}, async ({ page }) => {
  // With a second source there is a filter by source, too.
  await callApi("/api/v1/sources", { name: "lists-second", template: "platform", secret: "sec_0123456789abcdef0123456789abcdef" });
  await page.setViewportSize({ width: 1440, height: 900 });
  const filters = page.getByRole("search", { name: "Filter issues" });
  for (const url of ["/issues?origin=processing", "/issues"]) {
    // A page whose font is late keeps the one it began with, which is wider: it is opened again.
    const spread = async () => {
      await page.goto(url);
      if (url.includes("?")) await expect(filters.getByRole("button", { name: "Save filter" })).toBeVisible();
      await expect(filters.getByRole("button", { name: "Source: Any source" })).toBeVisible();
      return filters.locator(":scope > *").evaluateAll(spreadOfTops);
    };
    await expect.poll(spread).toBeLessThan(12);
  }
  await filters.getByRole("button", { name: "Order" }).press("Enter");
  await page.getByRole("menuitemradio", { name: "Most events first" }).press("Enter");
  await expect(page).toHaveURL(/sort=count/);
  await expect(filters.getByRole("button", { name: "Most events first" })).toBeVisible();

  for (const [list, search] of [
    ["/quarantine", "Filter quarantined requests"],
    ["/settings/audit", "Filter the audit log"],
    ["/events", "Filter events"],
  ] as const) {
    await page.goto(list);
    const row = page.getByRole("search", { name: search });
    await expect(row.getByRole("button", { name: "Clear filters" })).toBeHidden();
    await row.getByRole("button", { name: "Any time" }).click();
    await page.getByRole("button", { name: "Last 24 hours" }).click();
    await expect(page).toHaveURL(/from=|period=24h/);
    await row.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).toHaveURL((url) => url.search === "");
  }
});

test("saved filters that come late move no button of the row of filters", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, /\/api\/v1\/saved-filters/);
  await page.goto("/events");
  const row = page.getByRole("search", { name: "Filter events" });
  await row.getByRole("button", { name: "Any time" }).click();
  await page.getByRole("button", { name: "Last 24 hours" }).click();
  const clear = row.getByRole("button", { name: "Clear filters" });
  await expect(clear).toBeVisible();
  const before = await clear.boundingBox();
  letThrough();
  await expect(row.getByRole("button", { name: "Save filter" })).toBeEnabled();
  expect(await clear.boundingBox()).toEqual(before);
});

test("a failure's message has the room of an empty subject, and on a phone the list begins in the upper third", {
  tag: "@deep",
}, async ({ page }) => {
  const id = await sendEvent({ type: "task.assigned", data: { assignee: "Mara" } });
  await untilFailed(id);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto("/events?state=failed&type=task.assigned");
  const row = page.locator(`tr[data-event="${id}"]`);
  const message = row.getByText(/^task\.assigned has no task ID \(checked: .*\)$/).locator("visible=true");
  await expect(message).toHaveCount(1);
  expect(await message.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 390, height: 844 });
  const top = async () => (await page.getByRole("table").boundingBox())?.y;
  await expect.poll(top).toBeLessThan(844 / 3);
  await page.goto(`/events?state=failed&occurredFrom=2026-01-01T00:00:00Z&occurredTo=${new Date().toISOString()}`);
  await expect(page.getByRole("button", { name: /^Clear time range: Occurred/ })).toBeInViewport({ ratio: 1 });
  await expect.poll(top).toBeLessThan(844 / 3);
});

/** Runs in the page. @returns pixels between the highest and the lowest top */
function spreadOfTops(all: Element[]): number {
  const tops = all.map((each) => Math.round(each.getBoundingClientRect().top));
  return Math.max(...tops) - Math.min(...tops);
}
