import type { Page } from "@playwright/test";

/** No script has come for this long: the page has what it loads by itself. Milliseconds. */
const IDLE_MS = 500;

/** All JavaScript that a page has loaded by itself: its script tags, what it imported after them, and what it fetched ahead. */
export type ScriptBytes = { scripts: number; bytes: number };

/** Returns what a page's scripts weigh as they came over the line (or came, to a browser that has them still), once none has come for a while. */
export async function scriptBytes(page: Page): Promise<ScriptBytes> {
  await page.waitForFunction((idleMs) => {
    const ends = performance
      .getEntriesByType("resource")
      .flatMap(({ name, startTime, duration }) => (/\.js(\?|$)/.test(name) ? startTime + duration : []));
    return document.readyState === "complete" && performance.now() - Math.max(0, ...ends) > idleMs;
  }, IDLE_MS);
  return page.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const sizes = new Map(entries.flatMap(({ name, encodedBodySize }) => (/\.js(\?|$)/.test(name) ? [[name, encodedBodySize]] : [])));
    return { scripts: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
  });
}
