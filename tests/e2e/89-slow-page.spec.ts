import { holdBack } from "./support/hold-back.ts";
import { signIn } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

// A button is shown before the page is hydrated: what it is pressed for happens once it is, and once. (00-start presses one
// while React hydrates its part of the page.)

test.beforeEach(({ page }) => signIn(page));

test("a button that is pressed before any script has run does its work once", async ({ page }) => {
  const letThrough = await holdBack(page, "**/_next/static/**/*.js");
  await page.goto("/connections", { waitUntil: "commit" });
  const button = page.getByRole("button", { name: "Connect an account" }).first();
  await button.click();
  await button.click(); // as a person does when nothing happens
  letThrough();
  await expect(page.getByRole("dialog", { name: "Connect an account" })).toBeVisible();
});
