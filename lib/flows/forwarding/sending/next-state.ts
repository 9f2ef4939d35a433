import type { AttemptResult } from "#lib/forwarding/attempt/send-attempt";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import { MAX_ATTEMPTS, waitAfter } from "#lib/forwarding/sender/schedule";

/** The proxy is asked again after this, without an attempt being used up. Milliseconds. */
const PROXY_RETRY_MS = 30_000;

/**
 * Returns what becomes of a delivery after an attempt. Pure.
 *
 * @param attempts used up before this one
 * @param probe of a suspended destination: its failure uses nothing up
 * @param random between 0 and 1, for the jitter
 */
export function nextState(
  attempts: number,
  { outcome, retryAfterMs }: Pick<AttemptResult, "outcome" | "retryAfterMs">,
  probe: boolean,
  random: () => number,
): DeliveryResult["next"] {
  if (outcome === "delivered") return { state: "delivered" };
  if (probe) return null;
  if (outcome === "proxy_failed") return { state: "pending", attempts, waitMs: PROXY_RETRY_MS };
  if (outcome === "gone") return { state: "pending", attempts, waitMs: 0 };
  const failed = attempts + 1;
  const waitMs = waitAfter(failed, retryAfterMs, random());
  return waitMs === null || failed >= MAX_ATTEMPTS ? { state: "exhausted" } : { state: "pending", attempts: failed, waitMs };
}
