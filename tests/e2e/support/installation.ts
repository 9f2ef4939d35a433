import { randomInt } from "node:crypto";

/** The installation that the browser tests run against, told from the starting process to the tests through the environment. */

/** Made once in the first process; the workers inherit it. */
const port = () => {
  process.env.E2E_PORT ??= String(randomInt(20_000, 30_000));
  return process.env.E2E_PORT;
};

/** Where the single sign-on provider of the tests listens, while a test runs one. */
export const ssoPort = (): number => Number(port()) + 1;

/** Its address, without a trailing slash. */
export const baseUrl = (): string => `http://localhost:${port()}`;

/** The one-time link that makes the first owner, as printed at the first start. */
export const setupUrl = (): string => process.env.E2E_SETUP_URL ?? "";

/** What the installation is given; the set-up test makes the owner with the same words. */
export const INSTALLATION = {
  ownerEmail: "owner@example.com",
  ownerPassword: "a long password for the tests",
  apiKey: `sbx_${"e2e".repeat(14)}`,
  webhookSecret: "the-webhook-secret-of-the-browser-tests",
  ssoClient: { id: "signalbox", secret: "the-client-secret-of-the-browser-tests" },
};

/** Sets what `setupUrl` returns. */
export function announceSetupUrl(url: string): void {
  process.env.E2E_SETUP_URL = url;
}

/** Its data folder, and the file with everything that it printed. */
export const dataDir = (): string => process.env.E2E_DATA_DIR ?? "";
export const logFile = (): string => `${dataDir()}/printed.txt`;

/** Sets what `dataDir` returns. */
export function announceDataDir(folder: string): void {
  process.env.E2E_DATA_DIR = folder;
}

/** The environment that it is started with. */
export const installationEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: port(),
  APP_URL: baseUrl(),
  DATA_DIR: dataDir,
  DATABASE_URL: undefined,
  INIT_API_KEY: INSTALLATION.apiKey,
  WEBHOOK_SECRET: INSTALLATION.webhookSecret,
  OIDC_ISSUER: `http://127.0.0.1:${ssoPort()}`,
  OIDC_CLIENT_ID: INSTALLATION.ssoClient.id,
  OIDC_CLIENT_SECRET: INSTALLATION.ssoClient.secret,
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
  SANDBOX: "on",
  LOG_LEVEL: "warn",
  NODE_ENV: "production",
});
