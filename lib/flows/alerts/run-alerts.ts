import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { WORKER_SILENT_MS } from "#lib/flows/installation/read-readiness";
import { logger } from "#lib/observability/logger";
import { findLastHeartbeat } from "#lib/processing/heartbeat-store";
import { sendAlerts } from "./sending/send-alerts.ts";
import { watchAlerts } from "./watch-alerts.ts";

/** Interval of checking the conditions and of sending due messages. Milliseconds. */
export const WATCH_MS = 5000;
/** Rules that change by the hour are looked at less often. Milliseconds. */
const SLOW_MS = 60_000;

/** One round of a loop that watches: every so often also over what changes slowly. */
export function watchRound(): (workerSilentMs?: number) => Promise<void> {
  let lastSlow = Number.NEGATIVE_INFINITY;
  return async (workerSilentMs) => {
    const slow = performance.now() - lastSlow >= SLOW_MS;
    if (slow) lastSlow = performance.now();
    await watchAlerts({ slow, ...(workerSilentMs !== undefined && { workerSilentMs }) });
  };
}

/**
 * Stands in for the workers while none is alive: watches and sends, in a web
 * process, until it is stopped. Until this process has run as long as a worker
 * may be silent, a worker that starts beside it has its time.
 */
export async function standInForWorkers(signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const watch = watchRound();
  while (!signal.aborted) {
    await sleep(WATCH_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !env().DATABASE_URL) return;
    try {
      await standIn(performance.now() - startedAt, watch);
    } catch (error) {
      logger().warn({ reason: (error as Error).message }, "can't check whether workers are running; trying again");
    }
  }
}

/** @param aliveMs for how long this process has run, in milliseconds @returns whether it stood in */
export async function standIn(aliveMs: number, watch: (workerSilentMs: number) => Promise<void>): Promise<boolean> {
  const last = await findLastHeartbeat();
  const silentMs = Math.min(aliveMs, last?.silentMs ?? aliveMs);
  if (silentMs < WORKER_SILENT_MS) return false;
  await watch(silentMs);
  await sendAlerts();
  return true;
}
