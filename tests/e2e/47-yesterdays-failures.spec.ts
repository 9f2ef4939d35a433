import { postSigned } from "./support/post-webhook.ts";
import { signIn, untilState } from "./support/session.ts";
import { countClicks, expect, expectAccessible, test } from "./support/watched-page.ts";

const DAY_S = 86_400;
/** Noon UTC: yesterday in the browser's zone, too. */
const YESTERDAY = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S - DAY_S / 2;

async function send(id: string, type: string, created: number, data: Record<string, unknown>): Promise<void> {
  expect(await postSigned(JSON.stringify({ id, type, created, data }))).toBe(200);
  await untilState(id, "processed");
}

test("yesterday's failures of one type, with their messages, are three clicks away", { tag: "@deep" }, async ({ page }) => {
  const documentId = `doc_yesterday_${YESTERDAY}`;
  await send("evt_failed_yesterday", "document.error", YESTERDAY, { documentId, errorCode: "E_BLANK", errorMessage: "The scan is blank" });
  await send("evt_run_yesterday", "automation.error", YESTERDAY, { automationId: "auto_yesterday", errorMessage: "The step timed out" });
  // Both are over, so that no issue stays open.
  await send("evt_done_today", "document.processed", YESTERDAY + 60, { documentId, status: "completed" });
  await send("evt_run_today", "automation.completed", YESTERDAY + 60, { automationId: "auto_yesterday" });
  await signIn(page);
  const clicks = await countClicks(page);
  await page.goto("/events");
  const row = (id: string) => page.locator(`tr[data-event="${id}"]`);
  await page.getByRole("button", { name: "Yesterday's failures" }).click();
  await expect(row("evt_run_yesterday")).toContainText("The step timed out");
  await expect(row("evt_done_today")).toBeHidden();
  // The list and its chart are of the time that is asked for, and the chart shows the failures as what they are.
  await expect(page.getByRole("button", { name: "Yesterday's failures" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("columnheader", { name: "Occurred" })).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("img", { name: /over the time of occurrence, .*report failures/ })).toBeVisible();
  await expect(page.locator('[data-part="Reported failures"]')).not.toHaveCount(0);
  await page.getByRole("button", { name: "Type", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Filter by type" })
    .getByRole("checkbox", { name: /Document failed/ })
    .click();
  await expect(row("evt_run_yesterday")).toBeHidden();
  await expect(row("evt_failed_yesterday")).toContainText("The scan is blank");
  expect(clicks()).toBe(3);

  // Each filter that is active shows itself, and can be removed where it stands.
  await page.keyboard.press("Escape");
  const filters = page.getByRole("search", { name: "Filter events" });
  for (const name of [
    /^Remove filter Type: Document failed/,
    /^Remove filter Any failure/,
    /^Clear time range: Occurred \d{4}-\d\d-\d\d UTC/,
  ])
    await expect(filters.getByRole("button", { name })).toBeVisible();
  await expectAccessible(page);
  await filters.getByRole("button", { name: /^Remove filter Type/ }).click();
  await expect(row("evt_run_yesterday")).toBeVisible();
});

test("a filter that nothing has or that the page ignores is named with the nearest", async ({ page }) => {
  await signIn(page);
  await page.goto("/events?stat=failed&state=faild");
  const filters = page.getByRole("search", { name: "Filter events" });
  await expect(filters.getByRole("status")).toContainText("did you mean “state”?");
  await expect(filters.getByRole("status")).toContainText("“faild” is no value of state; did you mean “failed”?");
  await page.goto("/events?q=type:document.eror");
  await expect(page.getByText("No event has the type document.eror. Did you mean type:document.error?")).toBeVisible();
  await page.getByRole("button", { name: "Use type:document.error" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === "type:document.error");
  await expect(page.locator("tr[data-event]").first()).toBeVisible();
});
