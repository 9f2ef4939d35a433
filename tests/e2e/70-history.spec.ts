import { readFileSync } from "node:fs";
import type { Cookie, Page } from "@playwright/test";
import pg from "pg";
import { baseUrl } from "./support/installation.ts";
import { databaseAddress, queryInstallation } from "./support/installation-database.ts";
import { fillInstallation, MANY, sinceLast } from "./support/many-events.ts";
import { postSigned } from "./support/post-webhook.ts";
import { signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

let cookies: Cookie[] = [];

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage({ baseURL: baseUrl() });
  await signIn(page);
  cookies = await page.context().cookies();
  await page.close();
  await fillInstallation();
});

test.beforeEach(({ context }) => context.addCookies(cookies));

async function send(id: string): Promise<void> {
  const event = { id, type: "document.uploaded", created: 1_760_000_000, data: { documentId: `doc_of_${id}` } };
  expect(await postSigned(JSON.stringify(event))).toBe(200);
}

const rows = (page: Page) => page.locator("tr[data-event]");
const row = (page: Page, id: string) => page.locator(`tr[data-event="${id}"]`);

async function openLive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
}

test("the search box finds words, path:value terms, ids and types, and the address holds what it says", async ({ page }) => {
  await page.goto("/events");
  const search = page.getByRole("searchbox", { name: "Search IDs and payloads" });
  for (const [q, types] of [
    ["data.status:failed type:document.error", ["The scan is too dark to read"]],
    ["evt_many_12", ["task.created"]],
    ['data.fileName:"Invoice 42.pdf"', ["document.uploaded", "document.processed"]],
    ["dark scan", ["The scan is too dark to read"]],
  ] as const) {
    await search.fill(q);
    await search.press("Enter");
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === q);
    for (const type of types) await expect(rows(page).filter({ hasText: type }).first()).toBeVisible();
  }
  await page.reload();
  await expect(search).toHaveValue("dark scan");
  await expect(rows(page).first()).toContainText("The scan is too dark to read");
  await search.fill("nonesuch-anywhere");
  await expect(page.getByText("No events match")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page).toHaveURL(/\/events$/);
});

test("the histogram tells how many there are, and zooms in on what is drawn over", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/events?period=7d&type=task.created");
  const words = page.locator("figcaption").getByText(/^(about )?[\d,]+ events/);
  // Counts that took too long are estimated, and counted again later.
  await expect.poll(async () => Number((await words.textContent())?.replace(/\D/g, ""))).toBeGreaterThanOrEqual(MANY / 5);
  const box = await page.locator("figure > div").first().boundingBox();
  if (!box) throw new Error("there is no histogram");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(rows(page).first()).toBeVisible();
  // The keyboard's way to the same.
  await page.getByRole("button", { name: /^20\d\d-/ }).press("Enter");
  await page.getByRole("button", { name: "Last 24 hours" }).press("Enter");
  await expect(page).toHaveURL(/period=24h/);
  expect(page.url()).not.toContain("from=");
});

test("only the rows in sight are in the page, and older ones follow as one scrolls", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/events?period=7d");
  await expect(rows(page).first()).toBeVisible();
  await page.mouse.move(700, 600);
  let most = 0;
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 4000);
        most = Math.max(most, await rows(page).count());
        return Number(await rows(page).last().getAttribute("data-index"));
      },
      { intervals: [250] },
    )
    .toBeGreaterThan(150);
  expect(most).toBeLessThan(90);
});

test("nothing moves under the reader: new events wait while the list is scrolled, rows are ticked or an event is open", {
  tag: "@deep",
}, async ({ page }) => {
  await openLive(page, "/events");
  await send("evt_live_top");
  await expect(row(page, "evt_live_top")).toBeVisible();
  await page.getByRole("checkbox", { name: /evt_live_top/ }).click();
  await send("evt_live_ticked");
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(row(page, "evt_live_ticked")).toBeHidden();
  // By key: a click that is tried again, while the bar rises, scrolls the page.
  await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
  await expect(row(page, "evt_live_ticked")).toBeVisible();
  await page.mouse.move(700, 600);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1000);
  const box = () => rows(page).nth(20).boundingBox();
  const moved = async () => {
    const [before] = [await box(), await page.waitForTimeout(300)];
    return ((await box())?.y ?? 0) - (before?.y ?? 0);
  };
  await expect.poll(moved).toBe(0);
  const before = await box();
  await send("evt_live_scrolled");
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  expect(await box()).toEqual(before);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(row(page, "evt_live_scrolled")).toBeVisible();
});

test("paused it stands still and says so; resumed, and after a lost line, everything missed follows once", async ({ page, context }) => {
  await openLive(page, "/events?q=");
  await page.getByRole("button", { name: /^Live/ }).click();
  await page.getByRole("button", { name: "Pause live feed" }).click();
  await page.keyboard.press("Escape");
  await send("evt_paused_1");
  await send("evt_paused_2");
  await expect(page.getByRole("button", { name: /^Paused/ })).toBeVisible();
  await page.waitForTimeout(800);
  await expect(row(page, "evt_paused_1")).toBeHidden();
  await page.getByRole("button", { name: /^Paused/ }).click();
  await page.getByRole("button", { name: "Resume live feed" }).click();
  await page.keyboard.press("Escape");
  for (const id of ["evt_paused_1", "evt_paused_2"]) await expect(row(page, id)).toHaveCount(1);
  await context.setOffline(true);
  await send("evt_offline");
  await page.waitForTimeout(500);
  await context.setOffline(false);
  await expect(row(page, "evt_offline")).toHaveCount(1, { timeout: 60_000 });
});

test("what the filter matches is saved as NDJSON, line by line, and as CSV", async ({ page }) => {
  await page.goto("/events?type=document.error&period=7d");
  await page.getByRole("button", { name: "Export" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /NDJSON/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^signalbox-events-.*\.ndjson$/);
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThanOrEqual(MANY / 500);
  for (const line of lines) {
    const event = JSON.parse(line) as { id: string; type: string; raw: string };
    expect(event.type).toBe("document.error");
    expect(JSON.parse(event.raw)).toMatchObject({ id: event.id });
  }
  const exporting = page.getByRole("dialog", { name: "Export events" });
  await expect(exporting.getByText("Done")).toBeVisible();
  await expect(exporting.getByRole("status")).toHaveText(`${lines.length} events written`);
  await expectAccessible(page);
  await exporting.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Export" }).click();
  const second = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  expect(readFileSync(await (await second).path(), "utf8")).toMatch(/^id,type,source,state,.*\r\n/);
});

test("a selection with shift is re-delivered after a dry run, by its name in the list", { tag: "@deep" }, async ({ page }) => {
  // The log was filled without its records; another file's rebuild may have made them.
  await queryInstallation("DELETE FROM views WHERE kind = 'task' AND id LIKE 'task\\_many\\_%'");
  await page.goto("/events?type=task.completed&period=7d&q=supplier");
  const boxes = rows(page).getByRole("checkbox");
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ["Shift"] });
  await expect(page.getByText("4 events selected")).toBeVisible();
  await page.getByRole("button", { name: "Re-deliver 4 events" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/Re-delivers these 4 events/)).toBeVisible();
  await dialog.getByRole("button", { name: "Dry run" }).click();
  await expect(dialog.getByText("4 would change, 0 already applied, 0 stale, 0 still fail")).toBeVisible();
  await expect(dialog.getByText("task state").first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("Tasks of before");
  await dialog.getByRole("button", { name: "Re-deliver 4 events" }).click();
  await expect(dialog.getByText("4 of 4 applied")).toBeVisible();
  await dialog.getByRole("link", { name: "View the outcome of each event" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tasks of before" })).toBeVisible();
  await page.getByRole("link", { name: "All re-deliveries" }).click();
  await expect(page.getByRole("heading", { name: "Re-deliveries" })).toBeVisible();
  await expect(page.getByText("Tasks of before")).toBeVisible();
});

test("all that a search finds is re-delivered, stopped and resumed, and what was applied is harmless", { tag: "@deep" }, async ({
  page,
}) => {
  // At most 10,000 go at once.
  const types = "type=document.processed&type=task.created&type=pipeline.stage_changed&type=task.completed";
  await page.goto(`/events?q=invoice&${types}&from=${sinceLast(10_000)}`);
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole("button", { name: "Re-deliver filtered events" }).click();
  const dialog = page.getByRole("dialog");
  // The first batch waits to be written down, so that there is something left to stop.
  const database = new pg.Client({ connectionString: await databaseAddress() });
  await database.connect();
  await database.query("BEGIN; LOCK TABLE attempts IN SHARE MODE");
  await dialog.getByRole("button", { name: /^Re-deliver [\d,]+ events$/ }).click();
  const stopped = page.waitForResponse(/\/operations\/[^/]+\/stop$/);
  await dialog.getByRole("button", { name: "Stop" }).click();
  await stopped;
  await database.end();
  await expect(dialog.getByText("Stopped")).toBeVisible();
  await expect(dialog.getByText(/applied/).last()).toHaveText(/[\d,]+ of [\d,]+ applied, [\d,]+ not attempted/);
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(dialog.getByText("Done")).toBeVisible({ timeout: 80_000 });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Re-deliver filtered events" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dry run" }).click();
  await expect(page.getByRole("dialog").getByText(/^0 would change, [\d,]+ already applied/)).toBeVisible({ timeout: 80_000 });
});
