import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { notifySoon } from "#lib/db/notifications";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { makeDestination } from "#tests/support/forwarding/destinations";
import { startSenders, until, useTargets } from "#tests/support/forwarding/senders";
import type { Target } from "#tests/support/forwarding/target";
import { append } from "#tests/support/log-writer";
import { expectPace } from "#tests/support/pace";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

const SLOW = 6;
const ANSWER_MS = 9000;
const TEXT = "x".repeat(1_000_000);
const LARGE = 60;
/** For longer than the slow ones take: what they do together comes into it. */
const EVENTS = 120;
const PAUSE_MS = 100;
const ROUNDS = 3;
const MAX_RATIO = 2;
/** 95th percentile of a destination alone that a machine's own pauses cause: a shorter one is luck. On a slower machine it grows. */
const LEAST_ALONE_MS = 40;

test(`beside ${SLOW} that answer after 9 s, with bodies of 1 MB, a destination's p95 stays within ${MAX_RATIO} times its own alone`, async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const event = (eventId: string, text: string) => ({
    eventId,
    type: "document.processed",
    created: 1,
    data: { documentId: "doc_1", text },
  });
  const small = Array.from({ length: EVENTS }, (_, n) => event(`evt_small_${n}`, "small"));
  await append(workspaceId, sourceId, small);
  for (let n = 0; n < LARGE; n += 1) await append(workspaceId, sourceId, [event(`evt_large_${n}`, TEXT)]);
  const healthy = await target();
  const { id } = await makeDestination(workspaceId, { url: healthy.url });
  const slow = await startSlowTarget(ANSWER_MS);
  const slowIds: string[] = [];
  for (let n = 0; n < SLOW; n += 1) slowIds.push((await makeDestination(workspaceId, { url: slow.url })).id);
  const measure = () => latencies(workspaceId, id, healthy);
  open.push(startSenders());
  await measure(); // warms the statements up
  const alone = Math.max(LEAST_ALONE_MS, await measure());
  for (const each of slowIds) await insertDeliveries(workspaceId, each, "evt_large_%");
  await until(
    () => slow.received(),
    (count) => count >= SLOW * 2,
    60_000,
  );
  // A pause of the machine is no neighbour's: the best of a few rounds counts.
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && best >= MAX_RATIO * alone; round += 1) {
    const beside = await measure();
    best = Math.min(best, beside);
    figure(`p95 ${alone} ms alone, ${beside} ms beside ${SLOW} slow ones, which had been sent ${slow.received()} of ${SLOW * LARGE}`);
  }
  expect(slow.received()).toBeLessThan(SLOW * LARGE);
  expectPace(best, MAX_RATIO * alone);
}, 600_000);

const BACKLOG = 100;
const BEHIND = 40;

/** Neighbours that want all there is for as long as the test takes. `most`: of two that answer at once, each has half at best. */
const NEIGHBOURS = [
  { words: `${SLOW} that answer after 9 s`, count: SLOW, concurrency: 10, answerMs: ANSWER_MS, megabytes: 1, events: LARGE, most: 2 },
  { words: "one with bodies of 8 MB that answers at once", count: 1, concurrency: 100, answerMs: 0, megabytes: 8, events: 30, most: 3 },
  { words: "one with bodies of 8 MB that never answers", count: 1, concurrency: 100, answerMs: 60_000, megabytes: 8, events: 30, most: 2 },
];

test.each(NEIGHBOURS)(
  "beside $words, one that answers at once keeps half of its pace with a backlog of 1 MB bodies, and small events pass them",
  async ({ words, count, concurrency, answerMs, megabytes, events, most }) => {
    const { workspaceId, sourceId } = await makeWorkspace();
    const event = (name: string, size: number) => ({
      eventId: `evt_${name}`,
      type: "document.processed",
      created: 1,
      data: { documentId: name, text: "x".repeat(size) },
    });
    for (let n = 0; n < BACKLOG; n += 1) await append(workspaceId, sourceId, [event(`large_${n}`, 1_000_000)]);
    await append(
      workspaceId,
      sourceId,
      Array.from({ length: BEHIND }, (_, n) => event(`small_${n}`, 5)),
    );
    for (let n = 0; n < events; n += 1) await append(workspaceId, sourceId, [event(`neighbours_${n}`, megabytes * 1_000_000)]);
    const healthy = await target();
    const { id } = await makeDestination(workspaceId, { url: healthy.url });
    const slow = await startSlowTarget(answerMs);
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await makeDestination(workspaceId, { url: slow.url, concurrency })).id);
    open.push(startSenders());
    const alone = await drain(workspaceId, id, healthy);
    for (const each of ids) await insertDeliveries(workspaceId, each, "evt_neighbours_%");
    // In full swing: as many as answers are waited for.
    await until(
      () => slow.received(),
      (received) => received >= Math.min(count * 2, 20, events),
      60_000,
    );
    const beside = await drain(workspaceId, id, healthy);
    figure(`${BACKLOG} bodies of 1 MB in ${alone.ms} ms alone, ${beside.ms} ms beside ${words}, to which ${slow.received()} were sent`);
    figure(`the last of ${BEHIND} small ones came after ${alone.before} large ones alone, after ${beside.before} beside them`);
    expect(beside.before).toBeLessThan(BEHIND);
    expectPace(beside.ms, most * alone.ms);
  },
  600_000,
);

/** Has a backlog of large events sent, with small ones behind it. @returns how long that took, and how many large ones came before the last small one */
async function drain(workspaceId: WorkspaceId, destination: string, { received }: Target): Promise<{ ms: number; before: number }> {
  received.splice(0);
  const since = performance.now();
  await insertDeliveries(workspaceId, destination, "evt_large_%");
  await insertDeliveries(workspaceId, destination, "evt_small_%");
  await until(
    () => received.length,
    (count) => count >= BACKLOG + BEHIND,
    200_000,
  );
  const ms = Math.round(performance.now() - since);
  const large = received.map(({ body }) => body.length > 1000);
  return { ms, before: large.slice(0, large.lastIndexOf(false)).filter(Boolean).length };
}

/** A target that answers late, on a thread of its own: what it does with bodies is not the sender's. */
async function startSlowTarget(answerMs: number): Promise<{ url: string; received: () => number }> {
  const worker = new Worker(
    `const { createServer } = require("node:http");
     const { parentPort } = require("node:worker_threads");
     const server = createServer((request, response) => {
       request.resume().on("end", () => { parentPort.postMessage("received"); setTimeout(() => response.end(), ${answerMs}); });
     }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  open.push({ close: async () => void (await worker.terminate()) });
  let received = 0;
  const [port] = await once(worker, "message");
  worker.on("message", () => {
    received += 1;
  });
  return { url: `http://127.0.0.1:${port}/`, received: () => received };
}

/** Has events sent to a destination, from the first on. */
const insertDeliveries = async (workspaceId: WorkspaceId, destination: string, events: string): Promise<void> => {
  await pool().query(
    `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject)
     SELECT workspace_id, $2, received_at, seq, event_id, type, 'event:' || event_id FROM events WHERE workspace_id = $1 AND event_id LIKE $3
     ON CONFLICT (destination_id, received_at, seq) DO UPDATE SET state = 'pending', attempts = 0, due_at = now()`,
    [workspaceId, destination, events],
  );
  notifySoon(pool(), "applied", workspaceId);
};

/** Milliseconds from an event's delivery being due to its arrival: the 95th percentile. */
async function latencies(workspaceId: WorkspaceId, destination: string, { received }: Target): Promise<number> {
  received.splice(0);
  const since = new Map<string, number>();
  for (let n = 0; n < EVENTS; n += 1) {
    since.set(`evt_small_${n}`, Date.now());
    await insertDeliveries(workspaceId, destination, `evt_small_${n}`);
    await sleep(PAUSE_MS);
  }
  await until(
    () => received.length,
    (count) => count >= EVENTS,
    60_000,
  );
  const all = received.map(({ headers, at }) => at - (since.get(String(headers["signalbox-event-id"])) ?? at));
  return all.sort((a, b) => a - b)[Math.floor(EVENTS * 0.95)] ?? 0;
}
