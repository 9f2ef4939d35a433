import puppeteer, { type ElementHandle } from "puppeteer-core";
import type { Engine } from "./engine.ts";

/** Starts Firefox without a window, driven by WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, protocolTimeout: 120_000 });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  page.setDefaultTimeout(120_000);
  const element = async (expression: string) => {
    const found = (await page.evaluateHandle(expression)).asElement();
    if (!found) throw new Error(`there is no ${expression}`);
    return found as ElementHandle<Element>;
  };
  return {
    version: (await browser.version()).replace("firefox/", ""),
    go: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
    click: async (expression) => (await element(expression)).click(),
    type: async (expression, text) => (await element(expression)).type(text),
    close: () => browser.close(),
  };
}
