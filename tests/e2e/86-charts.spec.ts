import type { Locator, Page } from "@playwright/test";
import { AGAIN_IF_RESET, callApi, firstOf, sendEvent, signIn, untilState } from "./support/session.ts";
import { expect, expectAccessible, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

const ticksOf = (page: Page, name: RegExp) =>
  page
    .locator("figure", { has: page.getByRole("img", { name }) })
    .first()
    .locator("[data-tick]")
    .count();

test("charts have ranges in the URL that Back undoes, and failures that can be seen", async ({ page }) => {
  await callApi("/sandbox/api/scenarios", { scenario: "document_to_done", pace: 0 });
  await firstOf("/api/v1/tasks?state=completed");
  await page.goto("/");
  await page.getByRole("button", { name: "7 d", exact: true }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page.getByRole("img", { name: /Events per .* over the last 7 days/ })).toBeVisible();
  expect(await ticksOf(page, /Events per/)).toBeGreaterThanOrEqual(3);
  await page.goBack();
  await expect(page).not.toHaveURL(/range=/);
  await expect(page.getByRole("img", { name: /over the last hour/ })).toBeVisible();

  // One failure beside thousands keeps 2 px.
  await page.route("**/api/v1/events/volume*", async (route) => {
    const body = await (await route.fetch(AGAIN_IF_RESET)).json();
    const bars = body.bars.map((bar: object) => ({ ...bar, count: 10_000, failed: 1 }));
    await route.fulfill({ json: { ...body, bars } });
  });
  await page.goto("/events");
  const failed = page.locator('[data-part="Failed"]').first();
  await expect.poll(async () => (await failed.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(1.9);
  expect(await ticksOf(page, /over time/)).toBeGreaterThanOrEqual(3);
  await page.getByText("Show as table").click();
  await expect(page.getByRole("table").filter({ hasText: "Processed or pending" })).toBeVisible();
});

test("a pipeline shows throughput and time in stage, a source how long its sender took", { tag: "@deep" }, async ({ page }) => {
  await callApi("/sandbox/api/scenarios", { scenario: "document_to_done", pace: 0 });
  await firstOf("/api/v1/tasks?state=completed");
  await page.goto("/pipelines/pipe_invoices");
  await expect(page.getByRole("heading", { name: "Time in stage" })).toBeVisible();
  await expect(page.getByText(/[\d,]+ left, p50 .*, p95 /).first()).toBeVisible();
  await page.getByRole("button", { name: "1 h", exact: true }).click();
  await expect(page).toHaveURL(/range=1h/);
  await expect(page.getByRole("img", { name: /Completed: [\d,]+ completed/ })).toBeVisible();
  await page.goto("/settings/sources");
  const [source] = (await callApi<{ data: { id: string }[] }>("/api/v1/sources")).data;
  const { leftOut } = await callApi<{ leftOut: number }>(`/api/v1/sources/${source?.id}/delay?range=24h`);
  const others = leftOut === 0 ? "" : `, ${leftOut} left out`;
  await expect(page.locator("[data-delay]").first()).toHaveText(new RegExp(`^p50 .*, p95 .* of [\\d,]+ events?${others}$`));
  await expect(page.getByText(/has whole seconds/).first()).toBeVisible();
});

test("a chart of events is read by keyboard with what happened then; failures have a scale of their own, the legend hides", {
  tag: "@deep",
}, async ({ page }) => {
  const id = await sendEvent({ type: "document.processed" });
  await untilState(id, "processed");
  const { data: sources } = await callApi<{ data: { id: string; name: string }[] }>("/api/v1/sources");
  await page.route("**/api/v1/events/volume*", async (route) => {
    const body = await (await route.fetch(AGAIN_IF_RESET)).json();
    await route.fulfill({
      json: { ...body, bars: body.bars.map((bar: object) => ({ ...bar, count: 10_000, failed: 7, repaired: 0, reported: 0 })) },
    });
  });
  // What happened in the last bar, which is the first that the keyboard reads.
  const text = `Rotated a signing secret: ${sources[0]?.name}`;
  await page.route("**/api/v1/events/annotations*", async (route) => {
    const to = new URL(route.request().url()).searchParams.get("to") ?? "";
    const at = new Date(Date.parse(to) - 1000).toISOString();
    // Late, as on a slow line: what comes after the rows moves none of them.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.fulfill({ json: { data: [{ kind: "change", at, until: null, text }] } });
  });
  await page.goto("/events?period=24h");
  const chart = page.locator("figure", { has: page.getByRole("img", { name: /over time/ }) });
  const firstRow = page.locator("tr[data-event]").first();
  await expect(firstRow).toBeVisible();
  const before = await firstRow.boundingBox();
  const values = chart.locator("[data-chart-values]");
  await expect(values).toContainText(text);
  expect(await firstRow.boundingBox()).toEqual(before);
  expect(await chart.locator("[data-time-tick]").count()).toBeGreaterThanOrEqual(2);
  const reader = chart.getByRole("slider");
  await reader.focus();
  await expect(values).toContainText("9,993 processed or pending, 0 repaired, 7 failed");
  await expect(values).toContainText(text);
  await expect(reader).toHaveAttribute("aria-valuetext", new RegExp(text));
  await page.keyboard.press("ArrowLeft");
  await expect(values).toContainText("7 failed");
  await expect(values).not.toContainText(text);

  // Seven of ten thousand fill their own scale.
  const apart = chart.getByRole("img", { name: "Failed, at its own scale" });
  expect((await apart.locator("[data-part=Failed]").first().boundingBox())?.height).toBeGreaterThan(15);
  // Without the others the failures have the chart.
  await chart.getByRole("button", { name: "Processed or pending" }).click();
  await expect(apart).toBeHidden();
  await expect(chart.locator('[data-part="Processed or pending"]')).toHaveCount(0);
  await expect(chart.locator("[data-tick]").last()).toHaveText("8");
  await expectAccessible(page);
  await chart.getByText("Show as table").click();
  await expect(chart.getByRole("list", { name: "Changes" })).toContainText(text);
});

test("on paper a page has no frame, dark text, and times that still say something tomorrow", async ({ page }) => {
  const id = await sendEvent({ type: "document.processed", data: { documentId: "doc_on_paper" } });
  await untilState(id, "processed");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/events");
  const received = page.locator(`tr[data-event="${id}"] time`).first();
  await expect(received).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const part of ["banner", "complementary", "navigation"] as const) await expect(page.getByRole(part)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Events", level: 1 })).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("color", "rgb(23, 24, 29)");
  const printed = await received.evaluate((time) => [getComputedStyle(time).fontSize, getComputedStyle(time, "::after").content]);
  expect(printed).toEqual(["0px", expect.stringMatching(/^"\d{4}-\d\d-\d\dT[\d:.]+Z"$/)]);
});

const colourOf = (shape: Locator) => shape.evaluate((element) => getComputedStyle(element).backgroundColor);

test("with the system's own colours the live dot, a legend and the current page can still be seen", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const canvas = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  const live = page.getByRole("button", { name: /^Live/ });
  await expect(live).toBeVisible();
  expect(await colourOf(live.locator("span").first())).not.toBe(canvas);
  const failed = page.getByRole("button", { name: "Failed", exact: true }).first();
  expect(await colourOf(failed.locator("span").first())).not.toBe(canvas);
  const here = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
  await expect(here).toHaveCSS("outline-style", "solid");
});

test("on a Mac the palette's key is the Command key", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { get: () => "MacIntel" }));
  await page.goto("/");
  await expect(page.locator("#palette kbd")).toHaveText(["⌘", "K"]);
});
