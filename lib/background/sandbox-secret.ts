import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { readValidSecrets } from "#lib/flows/sources/read-valid-secrets";
import { saveFirstSigningSecret } from "#lib/sandbox/webhooks/signing-secret-store";

const SETUP_POLL_MS = 1000;

/**
 * Sees that the sandbox platform can sign from the first start: where
 * WEBHOOK_SECRET is not set, or no longer verifies anything, it gets the
 * source's newest secret, unless one was set before. Waits for the
 * source, which the set-up makes.
 */
export async function introduceSandbox(signal: AbortSignal): Promise<void> {
  const { WEBHOOK_SOURCE, WEBHOOK_SECRET } = env();
  while (!signal.aborted) {
    const valid = await readValidSecrets(WEBHOOK_SOURCE);
    if (valid && WEBHOOK_SECRET !== undefined && valid.includes(WEBHOOK_SECRET)) return;
    if (valid) return saveFirstSigningSecret(valid[0]);
    await sleep(SETUP_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
