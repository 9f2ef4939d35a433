import { type Browser, chromium, type Page } from "@playwright/test";
import { provideChromium } from "../../tools/chromium.ts";
import type { Installation } from "../chaos/installation.ts";

/** A browser in which the owner of the installation is signed in. The caller closes it. */
export async function openSignedIn({ url }: Installation): Promise<{ browser: Browser; page: Page }> {
  const { path: executablePath } = await provideChromium((line) => process.stderr.write(`${line}\n`));
  const browser = await chromium.launch({ args: ["--no-sandbox"], executablePath });
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("a long password for the chaos run");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation").first().waitFor();
  return { browser, page };
}
