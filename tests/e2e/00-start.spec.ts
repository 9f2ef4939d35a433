import { expect, test } from "@playwright/test";

test("a person who has no session is shown the way in", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/(sign-in|setup)/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
