import { defineConfig, devices } from "@playwright/test";
import { findSystemChromium } from "#lib/processes/chromium";
import { baseUrl } from "./support/installation.ts";

/** The pages must not need the outside: every name but this machine's leads nowhere. */
const SEALED_OFF = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";

const args = [
  SEALED_OFF,
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
  "--no-default-browser-check",
  // Chromium has no sandbox for root.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

const executablePath = process.env.PLAYWRIGHT_CHROMIUM_PATH ?? findSystemChromium();

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results",
  globalSetup: "./support/start-installation.ts",
  // One installation and one story: the files run in the order of their names.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    baseURL: baseUrl(),
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: { args, ...(executablePath && { executablePath }) },
  },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
});
