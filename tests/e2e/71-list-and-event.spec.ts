import type { Page } from "@playwright/test";
import { AGAIN_IF_RESET, sendEvent, signIn, untilNow, untilState } from "./support/session.ts";
import { expect, holdBack, test } from "./support/watched-page.ts";

// The list of events, while events and other pages are opened from it.

const row = (page: Page, id: string) => page.locator(`tr[data-event="${id}"]`);
const ticked = (page: Page, id: string) => row(page, id).getByRole("checkbox");

const send = () => sendEvent({ type: "document.uploaded", data: { documentId: "doc_of_list" } });

/** The list with these events on top, and the live feed. */
async function openList(page: Page, ids: string[]): Promise<void> {
  await signIn(page);
  await page.goto("/events");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  for (const id of ids) await expect(row(page, id)).toBeVisible();
}

test("rows stay ticked, and new events wait on, while one event after the other is opened", { tag: "@deep" }, async ({ page }) => {
  const [first, second, third] = [await send(), await send(), await send()];
  await openList(page, [first, second, third]);
  await ticked(page, first).click();
  await ticked(page, second).click();
  await expect(page.getByText("2 events selected")).toBeVisible();
  await send();
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  for (const id of [third, first]) {
    await row(page, id).locator("a[data-row-link]").click();
    await expect(page).toHaveURL((url) => url.searchParams.get("event") === id);
    await expect(page.getByText("2 events selected")).toBeVisible();
    await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  }
  for (const id of [first, second]) await expect(ticked(page, id)).toBeChecked();
});

test("back on the list, what came while another page was open is there", { tag: "@deep" }, async ({ page }) => {
  await openList(page, [await send()]);
  const issues = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Issues/ });
  await issues.click();
  await expect(page.getByRole("heading", { level: 1, name: "Issues" })).toBeVisible();
  const id = await send();
  // The list is marked as stale every two seconds at most.
  await page.waitForTimeout(2500);
  await page.goBack();
  await expect(row(page, id)).toBeVisible({ timeout: 60_000 });
});

test("paused, rows that were being read wait too, and come once the feed is resumed", { tag: "@deep" }, async ({ page }) => {
  await openList(page, [await send()]);
  const letThrough = await holdBack(page, /\/api\/v1\/events\?.*limit=100/);
  const reading = page.waitForRequest(/\/api\/v1\/events\?.*limit=100/);
  const shown = await send();
  const newest = await reading;
  await expect(row(page, shown)).toBeVisible();
  await page.getByRole("button", { name: /^Live/ }).click();
  await page.getByRole("button", { name: "Pause live feed" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Paused/ })).toBeVisible();
  const id = await send();
  await untilState(id, "processed");
  letThrough();
  await (await newest.response())?.finished();
  await expect(page.getByRole("button", { name: /^\d+ new$/ })).toBeVisible();
  await expect(row(page, id)).toBeHidden();
  await page.getByRole("button", { name: /^Paused/ }).click();
  await page.getByRole("button", { name: "Resume live feed" }).click();
  await expect(row(page, id)).toBeVisible();
});

test("the buttons that save and clear a filter have their room before they come", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  await page.goto(untilNow("/events"));
  const more = page.getByRole("search").getByRole("button", { name: "More" });
  const clear = page.getByRole("search").getByRole("button", { name: "Clear filters" });
  await expect(clear).toBeVisible();
  const [there, width] = [await more.boundingBox(), (await clear.boundingBox())?.width];
  await page.getByRole("search").evaluate((row) => {
    for (const button of row.querySelectorAll<HTMLElement>(":scope > :last-child > button")) button.style.display = "none";
  });
  await expect(clear).toBeHidden();
  expect(await more.boundingBox()).toEqual(there);
  expect(width).toBeGreaterThan(20);
});

for (const name of ["Events", "Documents"])
  test(`what happens between the reading of ${name} on the server and its being there is on the page`, { tag: "@deep" }, async ({
    page,
  }) => {
    const documentId = `doc_overtaken_${name}`;
    let id = "";
    await signIn(page);
    await page.goto("/destinations");
    await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
    await page.route(
      (url) => url.pathname === `/${name.toLowerCase()}`,
      async (route) => {
        const answer = await route.fetch(AGAIN_IF_RESET);
        if (!("next-router-prefetch" in route.request().headers()) && id === "") {
          id = await sendEvent({ type: "document.uploaded", data: { documentId } });
          await untilState(id, "processed");
          // The page that is left has fetched everything again, two seconds later at most.
          await page.waitForTimeout(2500);
        }
        await route.fulfill({ response: answer });
      },
    );
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: new RegExp(`^${name}`) })
      .click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(name === "Events" ? row(page, id) : page.locator(`main a[href$="/documents/${documentId}"]`)).toBeVisible();
  });
