import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { findSystemChromium } from "#lib/processes/chromium";

/**
 * A Chromium for the browser tests: Playwright's own when it was downloaded,
 * else the system's, else Debian's package when we may install it, else the one
 * that comes through the package registry.
 *
 * @returns its path and where it comes from
 * @throws Error in words when there is none to be had
 */
export async function provideChromium(say: (line: string) => void): Promise<{ path: string; origin: string }> {
  if (existsSync(chromium.executablePath())) return { path: chromium.executablePath(), origin: "Playwright's own" };
  const present = findSystemChromium() ?? installWithApt(say);
  if (present) return { path: present, origin: "the system's" };
  say("unpacking the Chromium of the package registry");
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    return { path: await packaged.executablePath(), origin: "the package registry's" };
  } catch (cause) {
    throw new Error("There is no Chromium for the browser tests. Install one, or run: npx playwright install chromium", { cause });
  }
}

function installWithApt(say: (line: string) => void): string | null {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  say("installing chromium with apt-get; this takes a minute");
  try {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch {
    return null; // no network, or another package manager holds the lock: the next way
  }
  return findSystemChromium();
}
