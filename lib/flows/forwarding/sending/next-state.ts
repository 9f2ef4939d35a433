import type { AttemptResult } from "#lib/forwarding/attempt/send-attempt";
import type { DeliveryResult } from "#lib/forwarding/sender/result-store";
import { MAX_ATTEMPTS, waitAfter } from "#lib/forwarding/sender/schedule";

/** The proxy is asked again after this, without an attempt being used up. */
const PROXY_RETRY_MS = 30_000;

/** Returns what becomes of a delivery after an attempt; a failed probe uses no attempt up. Pure. @param random 0 to 1, for jitter */
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
