import type { Page } from "@playwright/test";
import { fillInstallation } from "./support/many-events.ts";
import { signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

test.beforeAll(fillInstallation);
test.beforeEach(({ page }) => signIn(page));

/** Events that old say their age in minutes: no column changes its width while one looks. */
const SETTLED_MS = 9 * 60_000;

const rows = (page: Page) => page.locator("tr[data-event]");

test("nothing shifts while the console loads", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };
    new PerformanceObserver((list) => {
      // A box that stays where it was is a time whose right-aligned text got another length when its minute passed. A
      // number alone is a count of the navigation that changed.
      for (const { value, sources } of list.getEntries() as Shift[])
        for (const { node, previousRect: was, currentRect: is } of sources)
          if ((was.x !== is.x || was.y !== is.y || was.width !== is.width) && !/^[\d,]+\+?$/.test(node?.textContent ?? ""))
            shifts.push(
              `${value.toFixed(5)} ${node?.textContent?.slice(0, 60)}: ${was.x},${was.y},${was.width} to ${is.x},${is.y},${is.width}`,
            );
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`/events?to=${new Date(Date.now() - SETTLED_MS).toISOString()}`);
  await expect(rows(page).first()).toBeVisible();
  await page.waitForTimeout(2500);
  expect(await page.evaluate(() => Reflect.get(window, "shifts"))).toEqual([]);
});

test("what the first load leaves out comes at the first press: a toast, a menu by the keyboard, the keys", { tag: "@deep" }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/events");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  const exporting = page.getByRole("button", { name: "Export" });
  await exporting.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu", { name: "Export" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: /NDJSON|CSV/ }).and(page.locator(":focus"))).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(exporting).toBeFocused();
  const type = page.getByRole("button", { name: "Type" });
  await type.click();
  await expect(page.getByRole("dialog", { name: "Filter by type" })).toBeVisible();
  await type.click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("l");
  await expect(page.getByText("Live feed paused")).toBeVisible();
});

test("without a line a part that has yet to load says so, the page stands, and trying again brings it", { tag: "@deep" }, async ({
  page,
  context,
}) => {
  await page.goto("/events");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Type" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Couldn't load this part of the page" });
  await expect(alert).toBeVisible();
  await expectAccessible(page);
  await expect(rows(page).first()).toBeVisible();
  await context.setOffline(false);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog", { name: "Filter by type" })).toBeVisible();
  await expect(alert).toBeHidden();
});
