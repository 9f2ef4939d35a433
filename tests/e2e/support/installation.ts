import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

// The installations that the browser tests run against, told from the starting
// process to the workers through the environment.

/** Number of test files that run at once. Each worker has an installation of its own, with an owner. */
export const WORKERS = 2;

/** Returns which installation is this worker's. */
const own = () => Number(process.env.TEST_PARALLEL_INDEX ?? 0);

/** Made once in the first process; the workers inherit it. */
const port = (at: number) => {
  process.env.E2E_PORT ??= String(randomInt(20_000, 30_000));
  return Number(process.env.E2E_PORT) + 10 * at;
};

/** Returns where the single sign-on provider of the tests listens, while a test runs one. */
export const ssoPort = (at = own()): number => port(at) + 1;

/** Returns where the mail server of the tests listens, while a test runs one. */
export const smtpPort = (at = own()): number => port(at) + 2;

/** An installation's address, without a trailing slash. */
export const baseUrl = (at = own()): string => `http://localhost:${port(at)}`;

/** Its data folder, and the file with everything that it printed. */
export const dataDir = (at = own()): string => path.join(process.env.E2E_FOLDER ?? "", String(at));
export const logFile = (at = own()): string => path.join(dataDir(at), "printed.txt");

/** Sets where the data folders lie. */
export function announceFolder(folder: string): void {
  process.env.E2E_FOLDER = folder;
}

/** The one-time link that makes the first owner, as printed at the first start; empty where there is an owner. */
export const setupUrl = (at: number): string => /https?:\/\/\S+\/setup\?token=\S+/.exec(readFileSync(logFile(at), "utf8"))?.[0] ?? "";

/** Credentials of each installation; the set-up test makes the owner of the last with the same ones. */
export const INSTALLATION = {
  ownerEmail: "owner@example.com",
  ownerPassword: "a long password for the tests",
  apiKey: `sbx_${"e2e".repeat(14)}`,
  webhookSecret: "the-webhook-secret-of-the-browser-tests",
  ssoClient: { id: "signalbox", secret: "the-client-secret-of-the-browser-tests" },
};

/** Its keys are those of DATA_DIR, whatever a file before gave the process of the tests. */
function withoutKeys(): NodeJS.ProcessEnv {
  const { NEXTAUTH_SECRET: _secret, VAULT_KEYS: _keys, ...others } = process.env;
  return others;
}

/** The environment that an installation is started with. */
export const installationEnvironment = (at = own()): NodeJS.ProcessEnv => ({
  ...withoutKeys(),
  PORT: String(port(at)),
  APP_URL: baseUrl(at),
  DATA_DIR: dataDir(at),
  DATABASE_URL: undefined,
  ...(at < WORKERS && { OWNER_EMAIL: INSTALLATION.ownerEmail, OWNER_PASSWORD: INSTALLATION.ownerPassword }),
  INIT_API_KEY: INSTALLATION.apiKey,
  WEBHOOK_SECRET: INSTALLATION.webhookSecret,
  OIDC_ISSUER: `http://127.0.0.1:${ssoPort(at)}`,
  OIDC_CLIENT_ID: INSTALLATION.ssoClient.id,
  OIDC_CLIENT_SECRET: INSTALLATION.ssoClient.secret,
  OIDC_ALLOWED_DOMAINS: "example.com",
  OIDC_FIRST_ROLE: "viewer",
  SMTP_URL: `smtp://127.0.0.1:${smtpPort(at)}`,
  MAIL_FROM: "Signalbox <signalbox@example.com>",
  SANDBOX: "on",
  LOG_LEVEL: "warn",
  NODE_ENV: "production",
});
