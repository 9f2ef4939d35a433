import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { insertApiKey } from "#lib/auth/api-key-store";
import { pool } from "#lib/db/pool";
import { processEvents } from "#lib/flows/processing/process-events";
import { appendEvents } from "#lib/ingest/log-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { letAct, type Neighbour, neighboursOf } from "#tests/support/neighbours";
import { newEvent } from "#tests/support/new-event";
import { startWebServer } from "#tests/support/web-server-process";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const database = useDatabase();

const TASKS = 1500;
const RECORD_EVENTS = 2000;
const SAMPLES = 60;

type World = { port: number; source: string; neighbours: Neighbour[]; peakMemory: () => Promise<number> };

/** Their routes run in Next alone: `npm run soak` asks them of a whole installation. */
const NEED_NEXT = new Set(["an assistant's record as of a moment", "strangers' sign-ins"]);

/** More memory than this, in MiB, none of the neighbours may cost. */
const MAX_MORE_MEMORY = 300;

/** A pipeline of many tasks and a document of many events, applied; and those who ask for them. */
async function makeWorld(): Promise<World> {
  const { workspaceId, sourceId, source } = await makeWorkspace();
  const event = (eventId: string, type: string, data: object) => {
    const body = Buffer.from(envelope({ id: eventId, type, data }));
    return newEvent({ workspaceId, sourceId, eventId, type, created: 1_760_000_000, body });
  };
  const events = [
    ...Array.from({ length: TASKS }, (_, n) =>
      event(`evt_t${n}`, "task.created", { taskId: `task_${n}`, pipelineId: "pipe_big", stage: `s${n % 5}` }),
    ),
    ...Array.from({ length: RECORD_EVENTS }, (_, n) =>
      event(`evt_d${n}`, "document.processed", { documentId: "doc_big", note: `${n} ${"x".repeat(500)}` }),
    ),
  ];
  for (let from = 0; from < events.length; from += 250) await appendEvents(pool(), events.slice(from, from + 250));
  while ((await processEvents()) > 0);
  const keyOf = async (role: "viewer" | "admin") => (await insertApiKey(workspaceId, { name: role, role, createdBy: null })).key;
  const keys = { viewer: await keyOf("viewer"), manager: await keyOf("admin") };
  const { port, peakMemory } = await startWebServer(database.url(), 4096, true);
  const all = neighboursOf({ port, source, keys, pipeline: "pipe_big", event: () => `evt_d${RECORD_EVENTS - 1}` });
  const neighbours = all.filter(({ name }) => !NEED_NEXT.has(name));
  return { port, source, neighbours, peakMemory };
}

/** Sends webhooks one after the other. @returns their times, the shortest first, in milliseconds */
async function sendWebhooks({ port, source }: World, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { body, headers } = signed(envelope({ data: { documentId: "doc_webhook" } }));
    const since = performance.now();
    const { status } = await fetch(`http://127.0.0.1:${port}/webhooks/${source}`, { method: "POST", body, headers });
    expect(status).toBe(200);
    times.push(performance.now() - since);
    await sleep(5);
  }
  return times.sort((a, b) => a - b);
}

const at = (times: number[], share: number): number => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));

/** The worst of these was some 400 times before requests took turns. */
const MAX_RATIO = 3;

/** A machine that does something else for a moment says nothing of the neighbour. */
const ROUNDS = 3;

/** Returns how many times as long a webhook takes beside a neighbour as alone, at the median. */
async function ratioBeside(world: World, neighbour: Neighbour): Promise<number> {
  const { name, parallel } = neighbour;
  const alone = at(await sendWebhooks(world, SAMPLES), 0.5);
  const stop = letAct(neighbour);
  await sleep(300);
  const times = await sendWebhooks(world, SAMPLES);
  const answers = await stop();
  // A neighbour that is turned away at the door holds up nobody.
  expect(answers, name).not.toHaveProperty("404");
  const beside = at(times, 0.5);
  figure(
    `webhook p50 ${beside} ms, p99 ${at(times, 0.99)} ms beside ${parallel} x ${name} (${JSON.stringify(answers)}); alone ${alone} ms`,
  );
  await sleep(500);
  return Number((beside / alone).toFixed(1));
}

it("a good webhook is not held up by any neighbour, at the median", async () => {
  const world = await makeWorld();
  await sendWebhooks(world, 50);
  const before = await world.peakMemory();
  const ratios: Record<string, number> = {};
  for (const neighbour of world.neighbours) {
    for (let round = 0; round < ROUNDS && !((ratios[neighbour.name] ?? Number.POSITIVE_INFINITY) <= MAX_RATIO); round += 1)
      ratios[neighbour.name] = await ratioBeside(world, neighbour);
  }
  const more = (await world.peakMemory()) - before;
  figure(`the web process held at most ${more.toFixed(0)} MiB more beside them than alone`);
  expect(more).toBeLessThan(MAX_MORE_MEMORY);
  expect(Object.entries(ratios).filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([]);
});
