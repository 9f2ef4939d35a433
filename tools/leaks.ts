import { INSTALLATION } from "#tests/e2e/support/installation";
import { TEST_ENV } from "#tests/support/environment";
import { SECRET } from "#tests/support/webhooks";

/** Secrets of the tests that nobody may print; a canary of the tests is named for what it represents. */
const SECRETS = [
  TEST_ENV.NEXTAUTH_SECRET,
  TEST_ENV.WEBHOOK_SECRET,
  TEST_ENV.VAULT_KEYS.split(":")[1] ?? "",
  SECRET,
  INSTALLATION.ownerPassword,
  INSTALLATION.apiKey,
  INSTALLATION.webhookSecret,
];
const CANARY = /canary-[a-z-]+-[0-9a-f]{36}/g;

/** The secrets that a log shows, without repeating them. */
export function findLeaks(log: string): string[] {
  const known = SECRETS.filter((secret) => log.includes(secret)).map((secret) => `a secret of ${secret.length} characters`);
  const canaries = [...log.matchAll(CANARY)].map(([canary]) => canary.slice(0, -36));
  return [...known, ...canaries];
}
