import { callApi, firstOf, signIn, tellScenario } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.use({ viewport: { width: 1440, height: 900 } });
test.beforeEach(({ page }) => signIn(page));

test("filters, tabs and as-of are steps that Back undoes", { tag: "@deep" }, async ({ page }) => {
  await tellScenario("document_to_done");
  const task = await firstOf("/api/v1/tasks?state=completed");
  await page.goto("/events");
  await page.getByRole("button", { name: "State", exact: true }).click();
  await page.getByRole("checkbox", { name: /Processed/ }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/state=processed/);
  // Typing is one step, however long it takes.
  const search = page.getByLabel("Search IDs and payloads");
  await search.pressSequentially("inv", { delay: 400 });
  await expect(page).toHaveURL(/q=inv/);
  await page.goBack();
  await expect(page).not.toHaveURL(/q=/);
  await expect(page).toHaveURL(/state=processed/);
  await page.goBack();
  await expect(page).toHaveURL(/\/events$/);

  await page.locator("a[data-row-link]").first().click();
  await expect(page).toHaveURL(/event=/);
  await page.getByRole("tab", { name: /Effects/ }).click();
  await expect(page).toHaveURL(/tab=effects/);
  await expect(page.getByRole("tab", { name: /Effects/ })).toHaveAttribute("data-state", "active");
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Payload" })).toHaveAttribute("data-state", "active");

  await page.goto(`/tasks/${task.id}`);
  await page.getByRole("button", { name: "As of: previous change" }).click();
  await expect(page).toHaveURL(/asOf=/);
  await page.goBack();
  await expect(page).not.toHaveURL(/asOf=/);
});

test("a filter is saved, shared, found in the navigation and deleted", async ({ page }) => {
  await page.goto("/events?type=task.completed");
  await page.getByRole("button", { name: "Save filter" }).click();
  await page.getByLabel("Name").fill("Completed tasks");
  await page.getByText("Share with everyone in the workspace").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save filter" }).click();
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /Completed tasks/ });
  await expect(link).toBeVisible();
  await expect(link).toHaveAttribute("aria-current", "page");
  await page.goto("/documents");
  await link.click();
  await expect(page).toHaveURL(/\/events\?type=task\.completed/);
  await page.getByRole("button", { name: "Edit saved filter" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(link).toBeHidden();
});

test("the search helps to write a filter, and a list has its total and order", { tag: "@deep" }, async ({ page }) => {
  await tellScenario("document_to_done");
  // Search help: a field, then its value, then what was searched before.
  await page.goto("/events");
  const search = page.getByLabel("Search IDs and payloads");
  await search.click();
  await expect(page.getByText("Syntax")).toBeVisible();
  await expectAccessible(page, ["light"]);
  await search.fill("sta");
  await page.getByRole("button", { name: /^state:/ }).click();
  await page.getByRole("button", { name: "state:processed" }).click();
  await expect(page).toHaveURL(/q=state%3Aprocessed/);
  await page.goto("/events");
  await search.click();
  await expect(page.getByRole("region", { name: "Recent searches" }).getByText("state:processed")).toBeVisible();
  await page.keyboard.press("Escape");

  // Totals, and the order by the last event.
  await page.goto("/documents");
  await expect(page.getByText(/^[\d,]+ documents?$/)).toBeVisible();
  await page.getByRole("columnheader", { name: "Last event" }).getByRole("button").click();
  await expect(page).toHaveURL(/order=asc/);
  await expect(page.getByRole("columnheader", { name: "Last event" })).toHaveAttribute("aria-sort", "ascending");
  await page.goBack();
  await expect(page.getByRole("columnheader", { name: "Last event" })).toHaveAttribute("aria-sort", "descending");
});

test("what is chosen before the first choice stands in the URL adds to it", { tag: "@deep" }, async ({ page }) => {
  await callApi("/sandbox/api/scenarios", { scenario: "document_to_done", pace: 0 });
  await firstOf("/api/v1/documents");
  await page.goto("/documents");
  await page.getByRole("columnheader", { name: "Last event" }).getByRole("button").click();
  await page.getByRole("switch", { name: "Failed only" }).click();
  await expect(page).toHaveURL(/failed=true&order=asc/);
  await page.goto("/documents");
  // Two presses before Next has handed on the first: the page takes them one after the other.
  const order = await page.getByRole("columnheader", { name: "Last event" }).getByRole("button").elementHandle();
  await page.getByRole("switch", { name: "Failed only" }).evaluate(async (failed, first) => {
    (first as HTMLElement).click();
    await new Promise((resolve) => setTimeout(resolve));
    (failed as HTMLElement).click();
  }, order);
  await expect(page).toHaveURL(/failed=true&order=asc/);
});
