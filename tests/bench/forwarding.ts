import { setTimeout as sleep } from "node:timers/promises";
import { onNotification } from "#lib/background/loop";
import { resetEnv } from "#lib/config/env";
import { pool } from "#lib/db/pool";
import { processEvents, workInbox } from "#lib/flows/processing/process-events";
import { makeDestination, receive } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until } from "#tests/support/forwarding/senders";
import { startTarget, type Target } from "#tests/support/forwarding/target";
import { fillLog } from "#tests/support/large-log";
import { emptyLog, type Place, percentile, say } from "./harness.ts";

const EVENTS = 10_000;
const RATE = 200;
const SECONDS = 15;

/** Measures what forwarding costs the worker, how fast one worker delivers, how long an event takes to the destination's 2xx, and what neighbours cost. */
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
  const stopping = new AbortController();
  const applying = onNotification("appended", 1000, workInbox)(stopping.signal);
  const alone = await latency("one", [target], { rate: RATE, seconds: SECONDS });
  say(`  receipt to the destination at ${RATE} events/s: p50 ${percentile(alone, 0.5)} ms, p95 ${percentile(alone, 0.95)} ms`);
  await pool().query("UPDATE destinations SET deleted_at = now()");
  await neighbours(place);
  stopping.abort();
  await applying;
  await senders.stop();
  await target.close();
  await emptyLog();
}

/** Measures what good destinations feel of a dead and of a slow one beside them. */
async function neighbours(place: Place): Promise<void> {
  const good = await Promise.all(Array.from({ length: 8 }, () => startTarget()));
  for (const { url } of good) await makeDestination(place.workspaceId, { url });
  const load = { rate: RATE / good.length, seconds: SECONDS };
  const alone = percentile(await latency("alone", good, load), 0.95);
  const slow = await startTarget((_received, _request, response) => void setTimeout(() => response.end("ok"), 10_000));
  const dead = await startTarget();
  await dead.close();
  for (const { url } of [slow, dead]) await makeDestination(place.workspaceId, { url });
  const beside = percentile(await latency("beside", good, load), 0.95);
  say(
    `  8 good destinations, ${load.rate} events/s to each: p95 ${alone} ms alone, ${beside} ms beside a dead and a slow one (${(beside / alone).toFixed(2)})`,
  );
  for (const each of [...good, slow]) await each.close();
}

/** Milliseconds from each event's acknowledgement to its arrival at each of the targets. */
async function latency(run: string, targets: Target[], { rate, seconds }: { rate: number; seconds: number }): Promise<number[]> {
  for (const { received } of targets) received.splice(0);
  const sentAt = new Map<string, number>();
  const receiving: Promise<unknown>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const id = `evt_${run}_${n}`;
    receiving.push(
      receive("bench", { id, data: { documentId: `doc_${run}_${n}`, status: "completed" } }).then(() => sentAt.set(id, Date.now())),
    );
    if (n % 5 === 4) await sleep((5 * 1000) / rate);
  }
  await Promise.all(receiving);
  await until(
    () => Math.min(...targets.map(({ received }) => received.length)),
    (count) => count >= rate * seconds,
    60_000,
  );
  return targets.flatMap(({ received }) =>
    received.flatMap(({ headers, at }) => {
      const sent = sentAt.get(String(headers["signalbox-event-id"]));
      return sent === undefined ? [] : [at - sent];
    }),
  );
}

async function applyRate(place: Place, run: string): Promise<string> {
  await emptyLog();
  await pool().query("TRUNCATE forward_deliveries, forward_attempts");
  await fillLog({ ...place, events: EVENTS, waiting: true, days: 1, run: `forwarding_${run}` });
  const started = performance.now();
  while ((await processEvents()) > 0);
  return (EVENTS / ((performance.now() - started) / 1000)).toFixed(0);
}
