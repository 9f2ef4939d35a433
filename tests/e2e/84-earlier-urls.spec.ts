import { expect, test } from "@playwright/test";
import { signIn } from "./support/session.ts";

const MOVED: [earlier: string, heading: string, now: RegExp][] = [
  ["/failures", "Issues", /\/issues$/],
  ["/refused", "Quarantine", /\/quarantine$/],
  ["/findings", "Missing events", /\/missing-events$/],
  ["/settings/views", "Settings", /\/settings\/records$/],
  ["/events?status=failed", "Events", /[?&]state=failed/],
  ["/tasks?inWork=true", "Tasks", /[?&]active=true/],
];

test("URLs of earlier versions lead to the pages that took their place", async ({ page }) => {
  await signIn(page);
  for (const [earlier, heading, now] of MOVED) {
    await page.goto(earlier);
    await expect(page).toHaveURL(now);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
});
