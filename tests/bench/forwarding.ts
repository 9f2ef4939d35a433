import { setTimeout as sleep } from "node:timers/promises";
import { onNotification } from "#lib/background/loop";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { processEvents, workInbox } from "#lib/flows/processing/process-events";
import { makeDestination, receive } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until } from "#tests/support/forwarding/senders";
import { startTarget } from "#tests/support/forwarding/target";
import { fillLog } from "#tests/support/large-log";
import { emptyLog, type Place, percentile, say } from "./harness.ts";

const EVENTS = 10_000;
const RATE = 200;
const SECONDS = 15;

/** What forwarding costs the worker, how fast one worker delivers, and how long an event takes from its receipt to the destination's 2xx. */
export async function benchForwarding(place: Place): Promise<void> {
  say("forwarding: sender, target and database share this machine");
  resetEnv({ FORWARD_ALLOW: "127.0.0.1" });
  say(`  ${await applyRate(place, "off")} events/s applied without a destination`);
  const target = await startTarget();
  const { id } = await makeDestination(place.workspaceId, { url: target.url, concurrency: 50 });
  say(`  ${await applyRate(place, "on")} events/s applied with one destination`);
  const senders = startSenders();
  const began = performance.now();
  await until(
    () => countStates(id),
    ({ delivered }) => delivered === EVENTS,
    300_000,
  );
  say(`  ${((EVENTS / (performance.now() - began)) * 1000).toFixed(0)} deliveries/s by one sender, 50 at once`);
  target.received.splice(0);
  const stopping = new AbortController();
  const applying = onNotification("appended", { idleMs: 1000 }, workInbox)(stopping.signal);
  const sentAt = new Map<string, number>();
  const receiving: Promise<unknown>[] = [];
  for (let n = 0; n < RATE * SECONDS; n += 1) {
    const eventId = `evt_latency_${n}`;
    receiving.push(
      receive("bench", { id: eventId, data: { documentId: `doc_${n}`, status: "completed" } }).then(() => sentAt.set(eventId, Date.now())),
    );
    if (n % 10 === 9) await sleep((10 * 1000) / RATE);
  }
  await Promise.all(receiving);
  await until(
    () => target.received.length,
    (count) => count >= RATE * SECONDS,
    60_000,
  );
  const ms = target.received.map(({ headers, at }) => at - (sentAt.get(String(headers["signalbox-event-id"])) ?? at));
  say(`  receipt to the destination at ${RATE} events/s: p50 ${percentile(ms, 0.5)} ms, p95 ${percentile(ms, 0.95)} ms`);
  stopping.abort();
  await applying;
  await senders.stop();
  await target.close();
  await emptyLog();
}

async function applyRate(place: Place, run: string): Promise<string> {
  await emptyLog();
  await pool().query("TRUNCATE forward_deliveries, forward_attempts");
  await fillLog({ ...place, events: EVENTS, waiting: true, days: 1, run: `forwarding_${run}` });
  const started = performance.now();
  while ((await processEvents()) > 0);
  return (EVENTS / ((performance.now() - started) / 1000)).toFixed(0);
}
