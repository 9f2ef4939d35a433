import type { Page } from "@playwright/test";
import { approve, callApi, firstOf, openDialog, press, sendEvent, signIn, untilFailed } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

type Detail = { attempts: unknown[] };

/** Re-delivers the row or the open event, which fails again. */
async function redeliverToFail(page: Page): Promise<void> {
  const question = page.getByRole("dialog", { name: "Re-deliver this event" });
  // Waited for from the beginning, since it is shown for a few seconds.
  const result = page.getByText(/it failed again/).waitFor();
  await press(page, "r");
  // With a destination, it asks: the checkbox has the focus, the button is the last.
  const asked = await Promise.race([question.waitFor().then(() => true), result.then(() => false)]);
  if (asked) await press(page, "Tab", "Tab", "Enter");
  await result;
}

test("by keys alone: find the failed event of document X and re-deliver it", async ({ page }) => {
  const { eventIds } = await callApi<{ eventIds: string[] }>("/sandbox/api/events", {
    type: "pipeline.stage_changed",
    data: { documentId: "doc_x_of_keys", taskId: null, toStage: "Review" },
  });
  const id = eventIds[0] ?? "";
  await untilFailed(id);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");

  // The palette, from anywhere, leads to the search for what is typed.
  await press(page, "Control+k");
  await page.keyboard.type("doc_x_of_keys state:failed");
  await expect(page.getByRole("option", { name: /Search events for/ })).toBeVisible();
  await press(page, "ArrowDown", "ArrowUp", "Enter");
  await expect(page).toHaveURL(/\/events\?q=doc_x_of_keys/);
  await expect(page.locator(`[data-event="${id}"]`)).toBeVisible();

  // Rows are walked with j, opened with Enter; Enter again goes into the open event.
  await press(page, "j");
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);
  await press(page, "Enter");
  const inspector = page.getByRole("complementary", { name: "Selected event" });
  await expect(inspector).toContainText("has no task ID");

  await redeliverToFail(page);
  expect((await callApi<Detail>(`/api/v1/events/${id}`)).attempts).toHaveLength(2);

  // Escape closes, and the focus is back on the row that it came from.
  await press(page, "Escape");
  await expect(inspector).toBeHidden();
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);
});

test("? shows the keys, and Escape gives the focus back; / goes to the search, l pauses the feed, and g and a letter opens a page, but not while somebody types", {
  tag: "@deep",
}, async ({ page }) => {
  await page.goto("/events");
  await expect(page.locator("a[data-row-link]").first()).toBeVisible();
  await press(page, "j", "?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const words of ["Next row", "Select row", "Go to Issues", "Focus search", "Pause live feed"])
    await expect(sheet).toContainText(words);
  await expectAccessible(page);
  await press(page, "Escape");
  await expect(sheet).toBeHidden();
  await expect(page.locator("a[data-row-link]:focus")).toHaveCount(1);

  await press(page, "/");
  await expect(page.locator("search input:focus")).toHaveCount(1);
  await page.keyboard.type("gil");
  await expect(page.locator("search input:focus")).toHaveValue("gil");
  await expect(page).toHaveURL(/\/events/);
  await expect(page.getByText("Paused", { exact: true })).toBeHidden();
  await press(page, "Backspace", "Backspace", "Backspace");
  await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
  await press(page, "l");
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await press(page, "l");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();

  for (const [letter, url] of [
    ["o", /:\d+\/$/],
    ["e", /\/events$/],
    ["i", /\/issues$/],
    ["q", /\/quarantine$/],
    ["d", /\/documents$/],
    ["s", /\/settings$/],
  ] as const) {
    await press(page, "g", letter);
    await expect(page).toHaveURL(url);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  }
});

const FOCUSED = "#content :is(tr, li):is(:focus, :has(a[data-row-link]:focus))";

/** Keys are heard a moment after a page stands. */
const focusFirstRow = (page: Page) =>
  expect(async () => {
    await press(page, "k");
    await expect(page.locator(FOCUSED)).toHaveCount(1, { timeout: 1000 });
  }).toPass({ timeout: 60_000 });

test("j and k walk the rows of every list", { tag: "@deep" }, async ({ page }) => {
  await callApi("/sandbox/api/scenarios", { scenario: "document_to_done", pace: 0 });
  await callApi("/sandbox/api/events", { type: "automation.triggered", fault: "missing_ids" });
  await callApi("/sandbox/api/events", { type: "automation.triggered", fault: "wrong_signature" });
  await openDialog(page, "Walked by keys");
  await approve(page);
  for (const list of ["documents", "tasks?state=completed", "issues", "quarantine"]) await firstOf(`/api/v1/${list}`);
  const lists = ["/", "/events", "/issues", "/quarantine", "/connections", "/documents", "/tasks", "/pipelines", "/sandbox"];
  for (const path of [...lists, "/settings/members", "/settings/audit", "/settings/account"]) {
    await page.goto(path);
    await focusFirstRow(page);
    await press(page, "j", "k");
    await expect(page.locator(FOCUSED), path).toHaveCount(1);
  }
});

test("x selects, r re-delivers what is selected, o opens, e resolves an issue in its row", { tag: "@deep" }, async ({ page }) => {
  await untilFailed(await sendEvent({ type: "automation.triggered", fault: "missing_ids" }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/events?state=failed");
  await focusFirstRow(page);
  await press(page, "x");
  await expect(page.getByText("1 event selected")).toBeVisible();
  await press(page, "r");
  await expect(page.getByRole("dialog", { name: /Re-deliver/ })).toBeVisible();
  await press(page, "Escape");
  await press(page, "x");
  await expect(page.getByText("1 event selected")).toBeHidden();
  await press(page, "o");
  await expect(page.getByRole("complementary", { name: "Selected event" })).toBeVisible();

  await page.goto("/issues?origin=processing&group=none");
  const open = page.getByRole("list", { name: /^Issues/ }).getByRole("listitem");
  const before = await open.count();
  await focusFirstRow(page);
  await press(page, "e");
  await expect(page.locator("[data-sonner-toast]").getByText("Resolved", { exact: true })).toBeVisible();
  await expect(open).toHaveCount(before - 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(open).toHaveCount(before);
  // A failed event of the list is re-delivered without a mouse and without leaving the list.
  await page.goto("/events?state=failed");
  await focusFirstRow(page);
  await redeliverToFail(page);
  await expect(page).toHaveURL(/\/events\?/);
});

test("a dialog that is closed by Escape gives the focus back to its button", { tag: "@deep" }, async ({ page }) => {
  for (const [path, name] of [
    ["/connections", "Connect an account"],
    ["/destinations", "Create destination"],
    ["/settings", "Rename"],
  ] as const) {
    await page.goto(path);
    const button = page.getByRole("button", { name, exact: true }).first();
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test("the link to the content makes no step of the history: Back takes back the filter chosen after it", { tag: "@deep" }, async ({
  page,
}) => {
  await page.goto("/quarantine");
  const state = (name: string) => page.getByRole("search").getByRole("button", { name, exact: true });
  await expect(state("Quarantined")).toHaveAttribute("aria-pressed", "true");
  await press(page, "Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await press(page, "Enter");
  await expect(page.locator("#content")).toBeFocused();
  await expect(page).toHaveURL(/\/quarantine$/);
  await state("Dismissed").click();
  await expect(page).toHaveURL(/state=dismissed/);
  await page.goBack();
  await expect(state("Quarantined")).toHaveAttribute("aria-pressed", "true");
  await state("Released").click();
  await expect(page).toHaveURL(/state=released/);
});
