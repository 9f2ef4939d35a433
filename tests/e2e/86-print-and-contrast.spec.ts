import type { Locator } from "@playwright/test";
import { sendEvent, signIn, untilState } from "./support/session.ts";
import { expect, test } from "./support/watched-page.ts";

test.beforeEach(({ page }) => signIn(page));

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
