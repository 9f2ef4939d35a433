import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { baseUrl } from "./installation.ts";

/**
 * Every page of these tests is watched: an error on the console, an uncaught
 * exception or a request that leaves this machine fails the test.
 */
export const test = base.extend<{ expectedErrors: RegExp[] }>({
  /** Console errors that a test brings about on purpose, for example a 409. */
  expectedErrors: [[], { option: true }],
  page: async ({ page, expectedErrors }, use) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !expectedErrors.some((pattern) => pattern.test(message.text())))
        faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== baseUrl()) faults.push(`left this machine: ${request.url()}`);
    });
    await use(page);
    expect(faults).toEqual([]);
  },
});

export { expect };

/** Fails on any violation of WCAG 2 A and AA that axe finds, in each of the themes. */
export async function expectAccessible(page: Page, themes: ("light" | "dark")[] = ["light", "dark"]): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${colorScheme} ${id} ${target.join(" ")}: ${failureSummary}`),
    );
    expect(found, page.url()).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
