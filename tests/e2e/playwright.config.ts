import { defineConfig, devices } from "@playwright/test";
import { findSystemChromium } from "#lib/installation/machine";
import { baseUrl, WORKERS } from "./support/installation.ts";
import { MATRIX } from "./support/matrix.ts";

/** The pages must not need the outside: every name but this machine's leads nowhere. */
const SEALED_OFF = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";

/** A page of a test is left before the code that V8 optimizes for it, in threads of its own, has paid for itself. */
const UNOPTIMIZED = "--js-flags=--no-maglev --no-turbofan";

const args = [
  SEALED_OFF,
  // Paces are those of a person's browser.
  ...(MATRIX.all ? [] : [UNOPTIMIZED]),
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

/** Tests that check everything the others did, in every installation. */
const AFTERWARDS = "99-*.spec.ts";

const executablePath = process.env.PLAYWRIGHT_CHROMIUM_PATH ?? findSystemChromium();

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results",
  globalSetup: "./support/start-installations.ts",
  // Each worker has its own installation, and runs whole files; which of them it had before, no file may ask.
  workers: WORKERS,
  fullyParallel: false,
  retries: 0,
  // `--grep-invert` of the command line leaves none out.
  ...(MATRIX.all ? {} : { grepInvert: /@deep/ }),
  forbidOnly: true,
  // Wide: they cost nothing while all is well, and a slow machine fails no test.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    baseURL: baseUrl(),
    // A trace of every step makes the tests a sixth slower: `--trace retain-on-failure` brings it when one is to be looked into.
    trace: "off",
    screenshot: "only-on-failure",
    // A worker's tests share a context, cleared between them: it keeps the scripts that it has loaded and compiled.
    reuseContext: !MATRIX.all,
    // Movement is drawn, and waited for, in the deep suite.
    contextOptions: MATRIX.all ? {} : { reducedMotion: "reduce" },
    launchOptions: { args, ...(executablePath && { executablePath }) },
  },
  projects: [
    { name: "chromium", use: { ...devices["Desktop Chrome"] }, testIgnore: AFTERWARDS },
    { name: "afterwards", dependencies: ["chromium"], testMatch: AFTERWARDS },
  ],
});
