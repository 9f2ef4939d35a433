import { PRODUCT_VERSION } from "#lib/config/product";
import { AGAIN_IF_RESET, signIn } from "./support/session.ts";
import { expect, expectAccessible, expectAccessibleOnPhone, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

test("the help menu has the documentation, the API reference, the keys and the version", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/");
  const help = page.getByRole("button", { name: "Help" });
  await help.click();
  const menu = page.getByRole("menu", { name: "Help" });
  await expect(menu).toContainText(`Signalbox ${PRODUCT_VERSION}`);
  await expectAccessible(page);
  await menu.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await help.click();
  await menu.getByRole("menuitem", { name: "API reference" }).click();
  await expect(page).toHaveURL(/\/api-reference$/);
  await help.click();
  await menu.getByRole("menuitem", { name: "Documentation" }).click();
  await expect(page).toHaveURL(/\/docs$/);
  await page.getByRole("article").getByRole("link", { name: "Configuration" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Configuration" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "WEBHOOK_SOURCE" })).toBeVisible();
});

test("the documentation starts with its chapters, and a search leads to the section that has the words", async ({ page }) => {
  await page.goto("/docs");
  const search = page.getByRole("searchbox", { name: "Search the documentation" });
  await search.fill("backup_key");
  await search.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "with “backup_key”" })).toBeVisible();
  await page
    .getByRole("article")
    .getByRole("link", { name: /^Configuration/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/configuration#[\w-]+$/);
  await page.goto("/docs?q=nothing-is-called-that");
  await expect(page.getByText("No section has all of the words")).toBeVisible();
  await page.getByRole("link", { name: "all chapters" }).click();
  await expect(page.getByRole("heading", { name: "Run it" })).toBeVisible();
});

test("every page of the documentation opens, and its links lead on", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/docs");
  const pages = await page.getByRole("navigation", { name: "Documentation" }).getByRole("link").all();
  // As the server sends them: they are one component, which the test looks at below.
  const sent = new Map<string, string>();
  const read = async (path: string) => {
    const html = sent.get(path) ?? (await (await page.request.get(path, AGAIN_IF_RESET)).text());
    sent.set(path, html);
    return html;
  };
  const links = new Set<string>();
  for (const href of await Promise.all(pages.map((link) => link.getAttribute("href")))) {
    const article = /<article[\s>].*<\/article>/s.exec(await read(href ?? ""))?.[0] ?? "";
    expect(article.match(/<h1[\s>]/g), href ?? "").toHaveLength(1);
    for (const [, link = ""] of article.matchAll(/<a\s[^>]*?href="(\/[^"]*)"/g)) links.add(link);
  }
  expect(links.size).toBeGreaterThan(5);
  for (const link of links) {
    const [path = "", anchor] = link.split("#");
    expect(await read(path), link).toContain(anchor ? `id="${anchor}"` : "<article");
  }
  await page.goto("/docs/api");
  await expectAccessibleOnPhone(page);
});

test("the sandbox fits a screen: what it can send, one of them open, and the log beside", { tag: "@deep" }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await page.goto("/sandbox");
  const log = page.getByRole("heading", { name: "Sent webhooks" });
  const run = page.getByRole("button", { name: "Run scenario" });
  await expect(run).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Signing secret" })).toBeInViewport();
  await page.getByRole("heading", { name: "Drop an event" }).click();
  await expect(run).toBeHidden();
  await page.getByRole("button", { name: "Drop event: silent source" }).scrollIntoViewIfNeeded();
  await expect(log).toBeInViewport();
});
