import { signIn } from "./support/session.ts";
import { expect, expectAccessible, holdBack, test } from "./support/watched-page.ts";

test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 503/] });
test.beforeEach(({ page }) => signIn(page));

test("without a connection what was read stays, the page that is chosen is kept, and it opens when the connection is back", async ({
  page,
  context,
}) => {
  await page.goto("/documents");
  // A mark that only a load of the whole page would remove.
  await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
  const navigation = page.getByRole("navigation", { name: "Main" });
  const bar = page.getByRole("status").filter({ hasText: "No connection to Signalbox" });
  await context.setOffline(true);
  await expect(bar).toContainText("Showing the data loaded last");
  // With its count, where something needs attention.
  await navigation.getByRole("link", { name: /^Connections/ }).click();
  await expect(bar).toContainText("The page you chose opens when the connection is back");
  await expect(page.getByRole("heading", { name: "Documents", level: 1 })).toBeVisible();
  await expectAccessible(page, ["light", "dark"]);
  // The last choice counts, made by keys too.
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Tasks", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/tasks$/);
  await expect(bar).toBeHidden();
  await expect(page.locator("body")).toHaveAttribute("data-same-page", "");
});

test("a server that answers for a moment after it has ended the feed is found to be away by the feed's next try", { tag: "@deep" }, async ({
  page,
}) => {
  await page.route("**/api/v1/feed*", (route) => route.abort());
  let asked = 0;
  await page.route("**/health/ready", (route) => (asked++ === 0 ? route.fulfill({ status: 200, json: {} }) : route.abort()));
  await page.goto("/documents");
  const bar = page.getByRole("status").filter({ hasText: "No connection to Signalbox" });
  await expect(bar).toBeVisible();
  await page.unroute("**/health/ready");
  await expect(bar).toBeHidden();
});

test("a web process that answers while its database is silent: header, notice and feed say the same, and nobody says live", {
  tag: "@deep",
}, async ({ page }) => {
  await page.goto("/documents");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  const part = (detail: string) => ({ ok: false, detail });
  const silent = { database: part("does not respond"), receiver: part("can't store: the database does not respond") };
  await page.route("**/health/ready", (route) => route.fulfill({ status: 503, json: silent }));
  const letThrough = await holdBack(page, /\/tasks\?_rsc=/);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" }).click();
  await expect(page.getByRole("button", { name: /^Database not ready/ })).toBeVisible();
  const bar = page.getByRole("status").filter({ hasText: "The database does not respond. The receiver can't store" });
  await expect(bar).toBeVisible();
  await expectAccessible(page, ["light", "dark"]);
  await page.unroute("**/health/ready");
  letThrough();
  await expect(bar).toBeHidden();
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
});

test("while a page is slow to come a line at the top says that the click was heard", { tag: "@deep" }, async ({ page }) => {
  const letThrough = await holdBack(page, /\/settings\/keys\?_rsc=/);
  await page.goto("/settings/roles");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "API keys" }).click();
  await expect(page.locator("[data-pending]")).toBeVisible();
  letThrough();
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
  await expect(page.locator("[data-pending]")).toBeHidden();
});
