import { signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.use({ expectedErrors: [/status of 40[04]/], viewport: { width: 1280, height: 640 } });

test("an error stands at its field, which is scrolled to and focused; a long dialog's buttons stay in view", { tag: "@deep" }, async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/destinations");
  await page.getByRole("button", { name: "Create destination" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create destination" });
  const create = dialog.getByRole("button", { name: "Create destination" });
  await expect(create).toBeInViewport({ ratio: 1 });
  await dialog.getByLabel("Name", { exact: true }).fill("Archive");
  const url = dialog.getByLabel("URL", { exact: true });
  await url.fill("https://app.example.com:9/webhooks");
  // The scroll position of a person who has filled in the whole form.
  await dialog.getByLabel(/^Requests a second/).scrollIntoViewIfNeeded();
  await expect(url).not.toBeInViewport();
  await create.click();
  await expect(url).toBeFocused();
  await expect(url).toBeInViewport({ ratio: 1 });
  await expect(url).toHaveAttribute("aria-invalid", "true");
  await expect(url).toHaveAccessibleDescription(/Port 9 can't be used/);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(create).toBeInViewport({ ratio: 1 });
  // High enough for all of it: what the buttons cover counts as too small to be pressed.
  await page.setViewportSize({ width: 1280, height: 1800 });
  await expectAccessible(page, ["light", "dark"]);
});

test("a field that is left empty says so in our words, and Escape asks before it discards what was entered", async ({ page }) => {
  await signIn(page);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create API key" }).click();
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name", { exact: true });
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/^Enter a value\./);
  await name.fill("Reporting");
  await expect(name).not.toHaveAttribute("aria-invalid");
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
  await expect(question.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Reporting");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog).toBeHidden();
  // What is chosen from a list was entered, too.
  await page.getByRole("button", { name: "Create API key" }).click();
  await dialog.getByRole("combobox", { name: "Expires after" }).click();
  await page.getByRole("option", { name: "1 year" }).click();
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog).toBeHidden();
});

test("a popover with a form asks before Escape or a press beside it discards what was typed", async ({ page }) => {
  await signIn(page);
  await page.goto("/events");
  await page.getByRole("button", { name: "Any time" }).click();
  const popover = page.getByRole("dialog", { name: "Select a time range" });
  await popover.getByLabel("From").fill("2026-11-2");
  await page.keyboard.press("Escape");
  const question = popover.getByRole("alertdialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(popover.getByLabel("From")).toBeFocused();
  await page.getByRole("button", { name: "Any time" }).click();
  await expect(question).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(popover).toBeHidden();
  await page.getByRole("button", { name: "Any time" }).click();
  await page.keyboard.press("Escape");
  await expect(popover).toBeHidden();
});

test.describe("a request that fails", () => {
  test.use({ expectedErrors: [/\b400\b/] });

  test("is told by a toast where its window is closed, and where a list was to go on", async ({ page }) => {
    await signIn(page);
    const refusal = { status: 400, json: { title: "No", status: 400, code: "invalid_request", detail: "Not today." } };
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v1/sources/*", (route) => held.promise.then(() => route.fulfill(refusal)));
    await page.goto("/settings/sources");
    await page.getByRole("button", { name: "Pause platform" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Pause platform" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    held.resolve();
    await expect(page.getByText("Couldn't pause platform")).toBeVisible();
    await page.getByRole("button", { name: "Pause platform" }).click();
    await expect(dialog.getByRole("alert")).toBeHidden();
    await page.goto("/settings/audit");
    await page.route("**/api/v1/audit?**", async (route) => {
      const json = { ...(await (await route.fetch()).json()), nextCursor: "b" };
      await route.fulfill(route.request().url().includes("cursor=") ? refusal : { json });
    });
    await page.getByPlaceholder("Name, ID or IP address").fill("owner");
    await page.getByPlaceholder("Name, ID or IP address").press("Enter");
    await page.getByRole("button", { name: "Show older entries" }).click();
    await expect(page.getByText("Couldn't load more of the list")).toBeVisible();
  });
});

test("an unknown URL is not found, and keeps the navigation of a person who is signed in", async ({ page }) => {
  expect((await page.goto("/no/such/page"))?.status()).toBe(404);
  await expect(page.getByText("There is no page at this URL")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  await signIn(page);
  expect((await page.goto("/no/such/page"))?.status()).toBe(404);
  await expect(page.getByText("There is no page at this URL")).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Documents" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documents" })).toBeVisible();
});

test("a dialog opens in its place: what is pressed in its first moment stays under the pointer", { tag: "@deep" }, async ({ page }) => {
  await signIn(page);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/settings/sources");
  const places = page.evaluate(async () => {
    const next = (kind: "animationstart" | "animationend") =>
      new Promise<DOMRect>((resolve) =>
        document.addEventListener(kind, ({ target }) => {
          if (target instanceof Element && target.role === "dialog") resolve(target.getBoundingClientRect());
        }),
      );
    return Promise.all([next("animationstart"), next("animationend")]);
  });
  await page.getByRole("button", { name: "Add source" }).click();
  const [first, last] = await places;
  expect(Math.abs(first.x - last.x), "pixels to the side").toBeLessThan(1);
});
