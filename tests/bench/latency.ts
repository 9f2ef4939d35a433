import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { Agent, request } from "undici";
import { makeOpenFolder } from "#tests/support/open-folder";
import { EVERY_TRY } from "#tests/support/waiting";
import { Installation } from "../chaos/installation.ts";
import { percentile, say } from "./harness.ts";

// `npm run bench -- latency`: a whole installation under a steady trickle. When
// does an event stand in the feed of an open page, when in its view?

const { values } = parseArgs({
  options: { "per-second": { type: "string", default: "100" }, seconds: { type: "string", default: "20" } },
});
const [perSecond, seconds] = [Number(values["per-second"]), Number(values.seconds)];
const inWords = (delays: number[]) => `p50 ${percentile(delays, 0.5).toFixed(0)} ms, p95 ${percentile(delays, 0.95).toFixed(0)} ms`;

say(`latency: a whole installation, ${perSecond} events a second for ${seconds} s`);
const dataDir = makeOpenFolder("signalbox-latency-");
const installation = new Installation(dataDir);
await installation.start();
const feed = await watchFeed(installation);
await sleep(500);
const sent = await trickle(installation, perSecond, seconds);
await sleep(1500);
const toFeed = [...sent].flatMap(([id, at]) => {
  const seenAt = feed.seen.get(id);
  return seenAt === undefined ? [] : [seenAt - at];
});
say(`  sent to seen in the feed: ${inWords(toFeed)} (${toFeed.length} of ${sent.size} seen)`);
const toView = await readAppliedDelays(await installation.databaseUrl());
say(`  received to applied: ${inWords(toView)} (${toView.length} applied)`);
feed.close();
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);

async function trickle({ url, secret }: Installation, perSecond: number, seconds: number): Promise<Map<string, number>> {
  const dispatcher = new Agent({ connections: 16 });
  const sent = new Map<string, number>();
  const answers: Promise<unknown>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    const id = `evt_latency_${n}`;
    const body = JSON.stringify({
      id,
      type: "document.uploaded",
      created: Math.floor(Date.now() / 1000),
      data: { documentId: `doc_${n}` },
    });
    const headers = { "content-type": "application/json", "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex") };
    sent.set(id, performance.now());
    answers.push(request(`${url}/webhooks/platform`, { method: "POST", headers, body, dispatcher }).then((answer) => answer.body.dump()));
  }
  await Promise.all(answers);
  await dispatcher.close();
  return sent;
}

async function watchFeed({ url, apiKey }: Installation): Promise<{ seen: Map<string, number>; close: () => void }> {
  const seen = new Map<string, number>();
  const { body } = await request(`${url}/api/v1/feed`, { headers: { authorization: `Bearer ${apiKey}` }, bodyTimeout: 0 });
  body.on("error", () => undefined);
  body.on("data", (chunk: Buffer) => {
    const now = performance.now();
    for (const [, id] of chunk.toString().matchAll(/"id":"(evt_latency_\d+)"/g)) if (id && !seen.has(id)) seen.set(id, now);
  });
  return { seen, close: () => body.destroy() };
}

async function readAppliedDelays(databaseUrl: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ ms: number }>(
    `SELECT (extract(epoch FROM min(at) - received_at) * 1000)::float8 AS ms FROM ${EVERY_TRY} t WHERE outcome = 'applied' GROUP BY received_at, seq`,
  );
  await client.end();
  return rows.map(({ ms }) => ms);
}
