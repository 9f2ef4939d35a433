import { callApi, firstOf, press, signIn } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

test("the palette does what the page can do, and opens a pasted id", async ({ page }) => {
  await callApi("/sandbox/api/events", { type: "document.processed" });
  const { id } = await firstOf("/api/v1/events?type=document.processed&state=processed");
  await page.goto("/");
  await press(page, "Control+k");
  await page.keyboard.type(id);
  await press(page, "Enter");
  await expect(page).toHaveURL(new RegExp(`/events/${id}`));
  await expect(page.getByRole("button", { name: "Re-deliver" })).toBeVisible();
  await press(page, "Control+k");
  await page.keyboard.type("compare with another"); // other tests leave records whose IDs begin like it
  await expect(page.getByRole("option", { selected: true })).toHaveText(/Compare with another event/);
  await expectAccessible(page);
  await press(page, "Enter");
  await expect(page.getByRole("dialog", { name: "Compare with another event" })).toBeVisible();
});

test("the palette opens a document by its file name and Enter, with a typing error too, and lists it first among recent pages afterwards", {
  tag: "@deep",
}, async ({ page }) => {
  const data = { documentId: "doc_of_palette", fileName: "Quarterly-palette.pdf" };
  await callApi("/sandbox/api/events", { type: "document.uploaded", data });
  await expect.poll(() => callApi("/api/v1/documents/doc_of_palette").catch(() => null), { timeout: 60_000 }).not.toBeNull();
  await page.goto("/");
  await press(page, "Control+k");
  // Enter at once: it waits for the record instead of searching events.
  await page.keyboard.type("quarterly-palette.pdf");
  await press(page, "Enter");
  await expect(page).toHaveURL(/\/documents\/doc_of_palette/);
  await expect(page).toHaveTitle(/Quarterly-palette/);

  await page.goto("/issues");
  await press(page, "Control+k");
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  await expect(recent.first()).toContainText(/doc_of_palette|Quarterly-palette/);
  await expectAccessible(page);
  await page.keyboard.type("quartelry");
  await expect(page.getByRole("group", { name: "Records with a similar name" })).toContainText("Quarterly-palette.pdf");
});

test("the palette does what another page does: it opens the page and the dialog", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/");
  for (const [typed, dialog] of [
    ["create api key", /API key/],
    ["rotate secret", /Rotate secret/],
    ["create destination", /Create destination/],
  ] as const) {
    await press(page, "Control+k");
    await page.keyboard.type(typed);
    await press(page, "Enter");
    await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
    await press(page, "Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  for (const [typed, url] of [
    ["audit log", /settings\/audit/],
    ["api keys", /settings\/keys/],
    ["re-deliver failed", /state=failed/],
  ] as const) {
    await press(page, "Control+k");
    await page.keyboard.type(typed);
    await press(page, "Enter");
    await expect(page).toHaveURL(url);
  }
});

test("a window that closes leaves the focus to the palette that was opened meanwhile", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/destinations");
  const palette = page.getByRole("dialog", { name: "Search or jump" });
  await press(page, "Control+k");
  await expect(palette).toBeVisible();
  await press(page, "Escape");
  await expect(palette).toBeHidden();
  await page.getByRole("button", { name: "Create destination" }).first().click();
  await expect(page.getByRole("dialog", { name: "Create destination" }).getByLabel("Name")).toBeFocused();
  // Both keys before the page does anything else, as on a busy machine.
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true }));
    press({ key: "Escape" });
    press({ key: "k", ctrlKey: true });
  });
  const field = palette.getByRole("combobox");
  await expect(field).toBeFocused();
  await page.keyboard.type("audit log", { delay: 50 });
  await expect(field).toHaveValue("audit log");
  await press(page, "Enter");
  await expect(page).toHaveURL(/settings\/audit/);
});

test("the palette signs out only after asking", { tag: "@deep" }, async ({ page }) => {
  await page.goto("/events");
  await press(page, "Control+k");
  await page.keyboard.type("sign out");
  await expect(page.getByRole("option", { selected: true })).toHaveText("Sign out");
  await press(page, "Enter");
  const dialog = page.getByRole("alertdialog", { name: "Sign out?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/events/);
  await press(page, "Control+k");
  await page.keyboard.type("sign out");
  await press(page, "Enter");
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});
