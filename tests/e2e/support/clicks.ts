import type { Page } from "@playwright/test";

/** Counts what a person clicks from now on, on every page that the window shows. @returns how many so far */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("signalboxClick", () => {
    clicks += 1;
  });
  await page.addInitScript(() =>
    document.addEventListener(
      "click",
      ({ isTrusted }) => isTrusted && (window as unknown as { signalboxClick: () => void }).signalboxClick(),
      true,
    ),
  );
  return () => clicks;
}
