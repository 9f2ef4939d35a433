import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { retryAfterMs } from "#lib/http/retry-after";
import { logger } from "#lib/observability/logger";
import { readSigningSecrets, type SigningSecrets } from "#lib/sandbox/sandbox-store";
import { type Claimed, claimDue, markDone, markRetry, release } from "./deliveries-store.ts";
import { isHopeless, isSuccess, retryDelay } from "./outgoing.ts";
import { type Posted, postWebhook } from "./queue-webhooks.ts";

const IN_FLIGHT = 32;
const REFILL_AT = 16;
const LEASE_MS = 30_000;
const BUSY_MS = 150;
const IDLE_MS = 500;
const TROUBLE_MS = 2000;

/** Sends due webhooks until `signal` aborts; requests under way are cancelled and stay due. Returns at once if the sandbox is off. */
export async function runSandboxSender(signal: AbortSignal, now: () => Date): Promise<void> {
  if (!env().sandboxOn) return;
  const inFlight = new Set<Promise<void>>();
  while (!signal.aborted) {
    const started = await startDue(signal, inFlight, now);
    const pause = started === null ? TROUBLE_MS : inFlight.size > 0 ? BUSY_MS : IDLE_MS;
    const backlog = started !== null && started > 0 && inFlight.size > REFILL_AT;
    await (backlog ? roomFor(inFlight, signal) : pauseFor(pause, signal));
  }
  await Promise.all(inFlight);
}

/** Waits until half of the requests under way are done: then the next are claimed. */
async function roomFor(inFlight: Set<Promise<void>>, signal: AbortSignal): Promise<void> {
  while (inFlight.size > REFILL_AT && !signal.aborted) await Promise.race(inFlight);
}

/** Returns the number started; null if the database did not respond. */
async function startDue(signal: AbortSignal, inFlight: Set<Promise<void>>, now: () => Date): Promise<number | null> {
  const room = IN_FLIGHT - inFlight.size;
  if (room <= 0) return 0;
  try {
    const claimed = await claimDue(room, LEASE_MS, now());
    const secrets = new Map<string, Promise<SigningSecrets | null>>();
    for (const delivery of claimed) {
      const { workspaceId } = delivery;
      const own = secrets.get(workspaceId) ?? readSigningSecrets(workspaceId);
      secrets.set(workspaceId, own);
      const sending = send(delivery, own, signal, now).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    return claimed.length;
  } catch (error) {
    logger().warn({ reason: (error as Error).message }, "the sandbox sender can't read its queue; retrying");
    return null;
  }
}

async function send(delivery: Claimed, own: Promise<SigningSecrets | null>, signal: AbortSignal, now: () => Date): Promise<void> {
  try {
    const secrets = await own;
    if (!secrets) return; // removed meanwhile: the lease runs out
    const url = `${env().APP_URL}/webhooks/${delivery.source}`;
    const posted = await postWebhook(url, delivery.body, { ...delivery, secrets, signal });
    if (posted.status === null && signal.aborted) await release(delivery.id, now());
    else await settle(delivery, posted, now());
  } catch (error) {
    // The lease runs out and it is sent again: at worst a duplicate, which receivers must handle anyway.
    logger().warn({ reason: (error as Error).message }, "the sandbox sender can't sign, or record the response");
  }
}

async function settle({ id, fault, attempt }: Claimed, posted: Posted, now: Date): Promise<void> {
  if (isSuccess(posted.status)) return markDone(id, "delivered", posted, now);
  const delay = isFinal(posted.status, fault) ? null : retryDelay(attempt, retryAfterMs(posted.retryAfter, null, now), Math.random());
  if (delay === null) return markDone(id, "failed", posted, now);
  return markRetry(id, posted, new Date(now.getTime() + delay));
}

const isFinal = (status: number | null, fault: string | null): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429 && isHopeless(fault);

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
