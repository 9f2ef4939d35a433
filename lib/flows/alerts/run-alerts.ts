import { setTimeout as sleep } from "node:timers/promises";
import { env } from "#lib/config/env";
import { WORKER_SILENT_MS } from "#lib/flows/installation/read-readiness";
import { logger } from "#lib/observability/logger";
import { findLastHeartbeat } from "#lib/processing/heartbeat-store";
import { sendAlerts } from "./sending/send-alerts.ts";
import { watchAlerts } from "./watch-alerts.ts";

export const WATCH_MS = 5000;
/** Rules that change by the hour are checked less often. */
const SLOW_MS = 60_000;

export function watchRound(): (workerSilentMs?: number) => Promise<void> {
  let lastSlow = Number.NEGATIVE_INFINITY;
  return async (workerSilentMs) => {
    const slow = performance.now() - lastSlow >= SLOW_MS;
    if (slow) lastSlow = performance.now();
    await watchAlerts({ slow, ...(workerSilentMs !== undefined && { workerSilentMs }) });
  };
}

/** Watches and sends in a web process while no worker is alive. A worker that starts with this process first gets time to report. */
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

/** Returns true if it stood in. @param aliveMs time that this process has run, in milliseconds */
export async function standIn(aliveMs: number, watch: (workerSilentMs: number) => Promise<void>): Promise<boolean> {
  const last = await findLastHeartbeat();
  const silentMs = Math.min(aliveMs, last?.silentMs ?? aliveMs);
  if (silentMs < WORKER_SILENT_MS) return false;
  await watch(silentMs);
  await sendAlerts();
  return true;
}
