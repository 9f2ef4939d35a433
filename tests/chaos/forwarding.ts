import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { makeOpenFolder } from "#tests/support/open-folder";
import { makeWebhooks, mulberry32, sendAll } from "./driver.ts";
import { Installation } from "./installation.ts";
import { addOtherSenders } from "./other-senders.ts";

// `npm run chaos -- forwarding`: webhooks come in and are handed on to three
// destinations, one good, one that fails every third time, one dead, while
// everything is killed with -9 at random moments. Afterwards each stored event
// must have been seen by the good one, and each delivery of the others must be
// delivered, waiting, held or exhausted, with its reason. Doubles are counted.

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "3" },
    rate: { type: "string", default: "300" },
    seconds: { type: "string", default: "6" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [kills, rate, seconds, seed] = [values.kills, values.rate, values.seconds, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
const say = (line: string) => process.stdout.write(`${line}\n`);

/** A target that counts the message IDs that it answered 2xx. */
type Target = { url: string; seen: Map<string, number>; server: Server };

async function startTarget(status: () => number): Promise<Target> {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.statusCode = status();
      const id = String(request.headers["signalbox-event-id"]);
      if (response.statusCode < 300) seen.set(id, (seen.get(id) ?? 0) + 1);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, seen, server };
}

const random = mulberry32(seed);
const dataDir = makeOpenFolder("signalbox-chaos-");
const installation = new Installation(dataDir, { environment: { FORWARD_ALLOW: "127.0.0.1", SANDBOX: "off" } });
const good = await startTarget(() => 200);
let answers = 0;
const dead = await startTarget(() => 200);
dead.server.close(); // nobody listens at its port from now on
const third = await startTarget(() => (answers++ % 3 === 0 ? 500 : 200));

say(`chaos of forwarding: ${kills} kills of everything, ${rate} events/s, seed ${seed}`);
say(`  ready after ${(await installation.start()).toFixed(0)} ms`);
await addOtherSenders(installation);
for (const [name, url] of [
  ["good", good.url],
  ["third", third.url],
  ["dead", dead.url],
])
  await call("POST", "/destinations", { name, url });

const perKill = rate * seconds;
const webhooks = makeWebhooks(perKill * (kills + 1), seed, installation.secret);
const acknowledged = new Map<string, number>();
let left: typeof webhooks = [];
for (let round = 0; round <= kills; round += 1) {
  let stopped = false;
  const batch = [...left, ...webhooks.slice(round * perKill, (round + 1) * perKill)];
  left = [];
  const sending = paced(batch, () => stopped);
  if (round < kills) {
    await sleep(seconds * 1000 * (0.3 + 0.6 * random()));
    await installation.killGroup();
    stopped = true;
  }
  left = await sending;
  if (round < kills) {
    await installation.start();
    say(`  kill ${round + 1}: ${acknowledged.size} acknowledged, good saw ${good.seen.size}, third saw ${third.seen.size}`);
  }
}
while (left.length > 0) left = await sendAll(installation.url, left, acknowledged, () => false);

const client = new pg.Client({ connectionString: await installation.databaseUrl() });
await client.connect();
const end = Date.now() + 180_000;
while (good.seen.size < acknowledged.size && Date.now() < end) await sleep(500);
await sleep(3000);
const { rows: unexplained } = await client.query(
  `SELECT d.name, f.state, count(*) AS n FROM forward_deliveries f JOIN destinations d ON d.id = f.destination_id
   WHERE NOT (f.state = 'delivered' OR f.state = 'exhausted' AND f.last_code IS NOT NULL
     OR f.state = 'pending' AND (f.last_code IS NOT NULL OR d.state = 'suspended' AND d.last_failure_code IS NOT NULL)) GROUP BY 1, 2`,
);
const { rows: states } = await client.query(
  `SELECT d.name, d.state AS destination, f.state, f.last_code AS reason, count(*)::int AS n FROM forward_deliveries f JOIN destinations d ON d.id = f.destination_id
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
);
const { rows: stored } = await client.query<{ event_id: string }>("SELECT event_id FROM event_keys");
await client.end();
await installation.stop();
good.server.closeAllConnections();
third.server.closeAllConnections();
good.server.close();
third.server.close();
rmSync(dataDir, { recursive: true, force: true });

const missing = stored.filter(({ event_id: id }) => !good.seen.has(id)).length;
const doubles = [...good.seen.values()].reduce((sum, count) => sum + count - 1, 0);
for (const { name, destination, state, reason, n } of states)
  say(`  ${name} (${destination}): ${state}${reason ? `, ${reason}` : ""}: ${n}`);
say(`  stored ${stored.length}, seen by the good one ${good.seen.size}, missing ${missing}`);
say(`  doubles at the good one: ${doubles} (${((100 * doubles) / good.seen.size).toFixed(2)}%)`);
for (const row of unexplained) say(`  unexplained: ${JSON.stringify(row)}`);
const clean = missing === 0 && unexplained.length === 0 && doubles < good.seen.size / 100;
say(clean ? "chaos of forwarding: nothing lost" : "chaos of forwarding: FAILED");
process.exitCode = clean ? 0 : 1;

/** Sends at the given rate, a tenth of a second's worth at a time. */
async function paced(batch: typeof webhooks, stop: () => boolean): Promise<typeof webhooks> {
  const missed: typeof webhooks = [];
  const size = Math.max(1, Math.round(rate / 10));
  for (let at = 0; at < batch.length; at += size) {
    const began = performance.now();
    missed.push(...(await sendAll(installation.url, batch.slice(at, at + size), acknowledged, stop)));
    await sleep(Math.max(0, 100 - (performance.now() - began)));
  }
  return missed;
}

async function call(method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${installation.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${installation.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}
