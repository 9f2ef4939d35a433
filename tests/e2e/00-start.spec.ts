import { baseUrl, INSTALLATION, setupUrl, UNOWNED } from "./support/installation.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

// Who comes first, to an installation that nobody owns yet.

test.use({ baseURL: baseUrl(UNOWNED) });

test("a person who has no session is shown the way in; the one-time link makes the owner, once", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/(sign-in|setup)/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const link = setupUrl(UNOWNED);
  expect(link).toContain(baseUrl(UNOWNED));
  await page.goto(link);
  await expectAccessible(page);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("E-mail").fill(INSTALLATION.ownerEmail);
  await page.getByLabel("Password").fill(INSTALLATION.ownerPassword);
  await page.getByLabel("Workspace").fill("Acme");
  await page.getByRole("button", { name: /create/i }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.goto("about:blank"); // else the page that was left asks for news, as nobody
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByLabel("Your name")).toBeHidden();
});
