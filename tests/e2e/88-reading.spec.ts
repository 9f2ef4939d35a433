import { valuesOf } from "#tests/support/sample";
import { MATRIX } from "./support/matrix.ts";
import { callApi, firstOf, sendEvent, signIn, tellScenario, untilFailed, untilNow, untilState } from "./support/session.ts";
import { expect, holdBack, test } from "./support/watched-page.ts";

test.use({ timezoneId: "Asia/Tokyo" });
test.beforeEach(({ page }) => signIn(page));

test("times are in local time or in UTC as the person chose, charts included; what went well has no colour", { tag: "@deep" }, async ({
  page,
}) => {
  await callApi("/sandbox/api/scenarios", { scenario: "document_to_done", pace: 0 });
  const document = await firstOf("/api/v1/documents?state=processed");
  await page.goto("/settings/account");
  await expect(page.getByText(/GMT\+9$/).first()).toBeVisible();
  await page.getByRole("button", { name: "UTC", exact: true }).click();
  await expect(page.getByRole("button", { name: "UTC", exact: true })).toHaveAttribute("aria-pressed", "true");
  await page.goto("/");
  const chart = page.locator("figure", { has: page.getByRole("img", { name: /Events per minute/ }) });
  await chart.getByText("Show as table").click();
  await expect(chart.getByRole("rowheader").first()).toContainText("UTC");
  await page.goto(`/documents/${document.id}`);
  await expect(page.locator("time").filter({ hasText: /UTC$/ }).first()).toBeVisible();
  await expect(page.getByText("GMT+9")).toHaveCount(0);
  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Local time" }).click();
  await expect(page.getByRole("button", { name: "Local time" })).toHaveAttribute("aria-pressed", "true");
  await page.goto(`/documents/${document.id}`);
  await expect(
    page
      .locator("time")
      .filter({ hasText: /GMT\+9$/ })
      .first(),
  ).toBeVisible();
  await page.goto("/documents?state=processed");
  const state = page.locator("tbody td").first().locator("svg");
  await expect(state).toHaveClass(/text-faint/);
});

/** More events than a screen shows. */
async function fillList(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await tellScenario("document_to_done");
  await expect
    .poll(async () => (await callApi<{ data: unknown[] }>("/api/v1/events?limit=50&state=processed")).data.length, { timeout: 60_000 })
    .toBeGreaterThan(25);
}

test("the row that is clicked stays where it is, and the stepper's captions never meet", { tag: "@deep" }, async ({ page }) => {
  await fillList();
  const url = untilNow("/events");
  for (const width of valuesOf(MATRIX, [1200, 1280, 1440, 1920], 0)) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    const id = (await page.locator("tr[data-event]").nth(6).getAttribute("data-event")) ?? "";
    const row = page.locator(`tr[data-event="${id}"]`);
    const before = (await row.boundingBox())?.y ?? 0;
    await row.locator("a[data-row-link]").click();
    await expect(page.getByRole("complementary", { name: "Selected event" })).toBeVisible();
    const captions = page.getByRole("list", { name: "Event timeline" }).locator("[data-caption]");
    await expect(captions.first()).toBeVisible();
    await expect
      .poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - before), { message: `at ${width}` })
      .toBeLessThanOrEqual(2);
    expect(await captions.evaluateAll(meeting), `at ${width}`).toEqual([]);
  }
  const { id } = await firstOf("/api/v1/events?type=task.created");
  for (const width of valuesOf(MATRIX, [390, 700, 900, 1000, 1440], 0)) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/events/${id}`);
    const captions = page.getByRole("list", { name: "Event timeline" }).locator("[data-caption]");
    await expect(captions.first()).toBeVisible();
    expect(await captions.evaluateAll(meeting), `at ${width}`).toEqual([]);
  }
});

test("the row stays where it is however late the event beside it comes, where a user leaves it, and as it closes", {
  tag: "@deep",
}, async ({ page }) => {
  await fillList();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(untilNow("/events"));
  const id = (await page.locator("tr[data-event]").nth(6).getAttribute("data-event")) ?? "";
  const row = page.locator(`tr[data-event="${id}"]`);
  const top = async () => Math.round((await row.boundingBox())?.y ?? 0);
  const before = await top();
  const letThrough = await holdBack(page, "**/_next/static/chunks/*.js");
  await row.locator("a[data-row-link]").click();
  await expect(page).toHaveURL(/event=/);
  await page.clock.setFixedTime(Date.now() + 60_000);
  letThrough();
  await expect(page.getByRole("complementary", { name: "Selected event" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY), { message: "what is above takes no more lines" }).toBeGreaterThan(50);
  await expect.poll(top).toBe(before);
  await page.mouse.move(300, 600);
  await page.mouse.wheel(0, 120);
  await expect.poll(top).toBe(before - 120);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: "Selected event" })).toBeHidden();
  await expect.poll(top).toBe(before - 120);
});

test("the row stays where it is in a short list, too, whose column is as high as before", { tag: "@deep" }, async ({ page }) => {
  for (let n = 0; n < 3; n += 1) await untilFailed(await sendEvent({ type: "task.assigned", data: { assignee: "Mara" } }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${untilNow("/events")}&state=failed&type=task.assigned`);
  const row = page.locator("tr[data-event]").nth(1);
  const before = (await row.boundingBox())?.y ?? 0;
  await row.locator("a[data-row-link]").click();
  await expect(page.getByRole("complementary", { name: "Selected event" }).getByText("has no task ID").first()).toBeVisible();
  await expect.poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - before)).toBeLessThanOrEqual(2);
});

test("beside an open event, new events that are asked for come into view", { tag: "@deep" }, async ({ page }) => {
  await fillList();
  const open = await sendEvent({ type: "document.uploaded", data: { documentId: "doc_open" } });
  await untilState(open, "processed");
  await page.setViewportSize({ width: 1920, height: 900 });
  await page.goto("/events");
  const row = page.locator(`tr[data-event="${open}"]`);
  await row.locator("a[data-row-link]").click();
  await expect(page.getByRole("complementary", { name: "Selected event" })).toBeVisible();
  const before = (await row.boundingBox())?.y ?? 0;
  const newest = await sendEvent({ type: "document.uploaded", data: { documentId: "doc_new" } });
  await untilState(newest, "processed");
  await page.getByRole("button", { name: /^\d+ new$/ }).click();
  await expect(page.locator(`tr[data-event="${newest}"]`)).toBeVisible();
  await expect.poll(async () => ((await row.boundingBox())?.y ?? 0) - before).toBeGreaterThan(30);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

/** Runs in the page: captions whose text reaches into another's. */
function meeting(captions: Element[]): string[] {
  const boxes = captions.map((caption) => {
    const range = document.createRange();
    range.selectNodeContents(caption);
    return { text: caption.textContent ?? "", box: range.getBoundingClientRect() };
  });
  return boxes.flatMap(({ text, box }, at) =>
    boxes
      .slice(at + 1)
      .filter(({ box: other }) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)
      .map((other) => `${text} | ${other.text}`),
  );
}
