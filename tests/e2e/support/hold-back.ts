import type { Page } from "@playwright/test";

/** Holds back every request to these addresses. @returns what lets them all through */
export async function holdBack(page: Page, urls: string | RegExp): Promise<() => void> {
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(urls, (route) => gate.then(() => route.continue()));
  return letThrough;
}
