import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { valuesOf } from "#tests/support/sample";
import { MATRIX } from "./matrix.ts";

type Options = {
  /** Errors that a test brings about on purpose, for example a 409. */
  expectedErrors: RegExp[];
};

/**
 * Every page of these tests is watched: an error on the console, an uncaught
 * exception, a request that leaves this machine, a violation of the page's
 * Content-Security-Policy, a script that a payload brought or a control that
 * moves away while it is pressed fails the test.
 */
export const test = base.extend<Options>({
  expectedErrors: [[], { option: true }],
  page: async ({ page, baseURL, expectedErrors }, use, testInfo) => {
    const faults: string[] = [];
    const isExpected = (words: string) => expectedErrors.some((pattern) => pattern.test(words));
    page.on("console", (message) => {
      if (message.type() === "error" && !isExpected(message.text())) faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    await page.exposeFunction("signalboxFault", (words: string) => void faults.push(words));
    await page.addInitScript(watchPolicy);
    await page.addInitScript(watchPresses);
    page.on("pageerror", ({ message }) => isExpected(message) || faults.push(`uncaught: ${message}`));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== baseURL) faults.push(`left this machine: ${request.url()}`);
    });
    awaitWholePages(page);
    await use(page);
    // A request that a test holds or answers may be under way as it ends.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (testInfo.status !== testInfo.expectedStatus) process.stderr.write(`faults of the page: ${JSON.stringify(faults)}\n`);
    expect(faults).toEqual([]);
  },
});

/**
 * A page streams in: React keeps a late part in a hidden element at the end of
 * the body until it is put in its place, and listens to it a moment later still.
 * `goto` returns once every part of the page stands where it belongs and listens;
 * whoever tests the time before asks it to wait until "commit".
 */
function awaitWholePages(page: Page): void {
  const go = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await go(url, options);
    if (options?.waitUntil !== "commit")
      await expect.poll(() => page.evaluate(missingParts), { message: `${url} is not whole`, timeout: 60_000 }).toEqual([]);
    return response;
  };
}

/**
 * Runs in the page. React marks each element that it has taken over, and a place that a late part will have. A part without a
 * place was given up: a page that is not found says so instead, and React leaves the part where it is. Effects, which listen for keys and
 * for the network, run after that: once the page has nothing else to do.
 *
 * @returns what is not in its place, or does not listen
 */
async function missingParts(): Promise<string[]> {
  const listens = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactFiber"));
  const deaf = [...document.querySelectorAll("#content :is(a, button, input)")].filter((control) => !listens(control));
  const hasPlace = ({ id }: Element) => document.getElementById(id.replace("S:", "B:")) ?? document.getElementById(id.replace("S:", "P:"));
  const late = [...document.querySelectorAll("body > div[hidden][id^='S:']")].filter(hasPlace);
  const missing = [...late, ...deaf];
  if (missing.length === 0) await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5000 }));
  return missing.map((element) => element.outerHTML.slice(0, 200));
}

/** Runs in the page, before anything else does. `xssRan` is what hostile payloads call (xss-strings.ts). */
function watchPolicy(): void {
  const page = window as unknown as { signalboxFault: (words: string) => void; xssRan: () => void };
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample, sourceFile, lineNumber }) =>
    page.signalboxFault(`policy: ${effectiveDirective} blocked ${blockedURI} ${sample} at ${sourceFile}:${lineNumber}`),
  );
  page.xssRan = () => page.signalboxFault("a payload ran as a script");
}

/** Runs in the page, before anything else does. A control that moves away while it is pressed does nothing, and says nothing. */
function watchPresses(): void {
  const page = window as unknown as { signalboxFault: (words: string) => void };
  let press: PointerEvent | null = null;
  document.addEventListener("pointerdown", (event) => (press = event), true);
  document.addEventListener(
    "pointerup",
    ({ clientX: x, clientY: y }) => {
      const control = press?.target instanceof Element ? press.target.closest("a, button") : null;
      if (!control?.isConnected || press?.clientX !== x || press.clientY !== y) return;
      const { left, right, top, bottom } = control.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom)
        page.signalboxFault(`moved away while pressed: ${control.outerHTML.slice(0, 200)}`);
    },
    true,
  );
}

export { expect };

/** The rules of WCAG 2 A and AA. `preload` would fetch each stylesheet again, for rules that are not among these. */
const AXE: axe.RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  resultTypes: ["violations"],
  preload: false,
};

type Theme = "light" | "dark";

/** Returns all values, or one in the quick suite: the same one for a test at each run. */
const some = <T>(values: T[]): T[] => valuesOf(MATRIX, values, base.info().line);

/** Fails on any violation of WCAG 2 A and AA that axe finds: in one of the themes, and in all of them in the deep suite. */
export async function expectAccessible(page: Page, themes: Theme[] = ["light"]): Promise<void> {
  // A page keeps axe until it is left.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  for (const colorScheme of some(themes)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const violations = await page.evaluate(findViolations, AXE);
    expect(
      violations.map((violation) => `${colorScheme} ${violation}`),
      page.url(),
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** The same for a page as it is and as a phone shows it, which the page is left as: one of the two in the quick suite. */
export async function expectAccessibleOnPhone(page: Page): Promise<void> {
  const widths = some(["as it is", "phone"]);
  if (widths.includes("as it is")) await expectAccessible(page);
  await narrowToPhone(page);
  if (widths.includes("phone")) await expectAccessible(page);
}

/**
 * Runs in the page. Returns what each violation is and where, in words. What stands above the page (the top bar, the bar of a
 * selection, an open menu) covers something wherever the page happens to be scrolled to: a target that is too small only there
 * is looked at where it can be scrolled to.
 */
async function findViolations(options: axe.RunOptions): Promise<string[]> {
  const page = window as unknown as { axe: typeof axe };
  const { scrollY } = window;
  async function isCovered(target: Element): Promise<boolean> {
    for (const block of ["center", "end", "start"] as const) {
      target.scrollIntoView({ block, behavior: "instant" });
      const { violations } = await page.axe.run(target, { runOnly: ["target-size"], preload: false });
      if (violations.length === 0) return true;
    }
    return false;
  }
  // A card that has just come fades in: its words have their colours a moment later.
  const ending = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { violations } = await page.axe.run(document, { ...options, elementRef: true });
  const found: string[] = [];
  for (const { id, nodes } of violations)
    for (const { target, failureSummary, element } of nodes)
      if (id !== "target-size" || !element || !(await isCovered(element))) found.push(`${id} ${target.join(" ")}: ${failureSummary}`);
  window.scrollTo({ top: scrollY, behavior: "instant" });
  return found;
}

/**
 * A phone whose bottom bar stands at the end of the page: a finger scrolls anything out from under it, and so must the
 * check. (A phone as tall as the page would load older rows for the room, and be too short for them.)
 */
export async function narrowToPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>("nav[aria-label='Quick']")) bar.style.position = "static";
  });
}

/** Holds back every request to these addresses. @returns what lets them all through */
export async function holdBack(page: Page, urls: string | RegExp): Promise<() => void> {
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(urls, (route) => gate.then(() => route.continue()));
  return letThrough;
}

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
