import type { Page } from "@playwright/test";
import { callApi, firstOf, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

type Detail = { status: string; attempts: unknown[] };

/** A mouse that is moved or pressed would prove nothing here: this page has only keys. */
const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

test("by keys alone: find the failed event of document X and re-deliver it", async ({ page }) => {
  const { eventIds } = await callApi<{ eventIds: string[] }>("/sandbox/api/events", {
    type: "pipeline.stage_changed",
    data: { documentId: "doc_x_of_keys", taskId: null, toStage: "Review" },
  });
  const id = eventIds[0] ?? "";
  await expect
    .poll(async () => (await callApi<Detail>(`/api/v1/events/${id}`).catch(() => null))?.status, { timeout: 20_000 })
    .toBe("failed");
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page);
  await page.goto("/");

  // The palette, from anywhere, leads to the search for what is typed.
  await press(page, "Control+k");
  await page.keyboard.type("doc_x_of_keys status:failed");
  await expect(page.getByRole("option", { name: /Search events for/ })).toBeVisible();
  await press(page, "ArrowDown", "ArrowUp", "Enter");
  await expect(page).toHaveURL(/\/events\?q=doc_x_of_keys/);
  await expect(page.locator(`[data-event="${id}"]`)).toBeVisible();

  // Rows are walked with j, opened with Enter; Enter again goes into the open event.
  await press(page, "j");
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);
  await press(page, "Enter");
  const inspector = page.getByRole("complementary", { name: "The open event" });
  await expect(inspector).toContainText("names no task");
  await expectAccessible(page, ["light"]);

  await press(page, "r");
  await expect(page.getByText(/it failed again/)).toBeVisible({ timeout: 20_000 });
  expect((await callApi<Detail>(`/api/v1/events/${id}`)).attempts).toHaveLength(2);

  // Escape closes, and the focus is back on the row that it came from.
  await press(page, "Escape");
  await expect(inspector).toBeHidden();
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);
});

test("? shows the keys of the page, and Escape gives the focus back", async ({ page }) => {
  await signIn(page);
  await page.goto("/events");
  await expect(page.locator("a[data-row-link]").first()).toBeVisible();
  await press(page, "j", "?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const words of ["Next and previous event", "Go to the search", "Pause the live feed"]) await expect(sheet).toContainText(words);
  await expectAccessible(page);
  await press(page, "Escape");
  await expect(sheet).toBeHidden();
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);
});

test("/ goes to the search and l pauses and resumes the live feed, but not while somebody types", async ({ page }) => {
  await signIn(page);
  await page.goto("/events");
  await expect(page.locator("a[data-row-link]").first()).toBeVisible();
  await press(page, "/");
  await expect(page.locator("search input:focus")).toHaveCount(1);
  await page.keyboard.type("l");
  await expect(page.getByText("Paused", { exact: true })).toBeHidden();
  await press(page, "Backspace");
  await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
  await press(page, "l");
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await press(page, "l");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
});

test("the palette does what the page can do, and opens a pasted id", async ({ page }) => {
  await callApi("/sandbox/api/events", { type: "document.processed" });
  const { id } = await firstOf("/api/v1/events?type=document.processed&status=processed");
  await signIn(page);
  await page.goto("/");
  await press(page, "Control+k");
  await page.keyboard.type(id);
  await press(page, "Enter");
  await expect(page).toHaveURL(new RegExp(`/events/${id}`));
  await expect(page.getByRole("button", { name: "Re-deliver" })).toBeVisible();
  await press(page, "Control+k");
  await page.keyboard.type("compare");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/Compare with another event/);
  await expectAccessible(page);
  await press(page, "Enter");
  await expect(page.getByRole("dialog", { name: "Compare with another event" })).toBeVisible();
});
