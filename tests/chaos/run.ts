import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import pg from "pg";
import { makeOpenFolder } from "#tests/support/open-folder";
import { check, isClean } from "./checker.ts";
import { makeWebhooks, mulberry32, sendAll } from "./driver.ts";
import { Installation } from "./installation.ts";

// `npm run chaos`: a burst of signed webhooks while the whole process group,
// and every second time the database too, is killed with -9 at random moments.
// Afterwards log, attempts and views are compared with every acknowledgement.
// `--sabotage` drops what the checker relies on and must find it out.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "2000" },
    kills: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sabotage: { type: "boolean", default: false },
  },
});
const [events, kills, seed] = [Number(values.events), Number(values.kills), Number(values.seed)];
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = makeOpenFolder("signalbox-chaos-");
const random = mulberry32(seed);
const installation = new Installation(dataDir);
const webhooks = makeWebhooks(events, seed, installation.secret);
const acknowledged = new Map<string, number>();

say(`chaos: ${events} events, ${kills} kills, seed ${seed}`);
say(`  ready after ${(await installation.start()).toFixed(0)} ms`);
let left = webhooks;
for (let kill = 1; kill <= kills; kill += 1) {
  let killed = false;
  const before = acknowledged.size;
  const share = Math.ceil(left.length / (kills - kill + 2));
  const burst = sendAll(installation.url, left, acknowledged, () => killed);
  // Somewhere within this round's share of the burst, so that requests are in flight.
  const target = before + Math.max(1, Math.floor(share * (0.4 + random() * 0.6)));
  while (acknowledged.size < target) await new Promise((resolve) => setTimeout(resolve, 1));
  killed = true;
  await installation.kill(kill % 2 === 0);
  left = await burst;
  say(
    `  kill -9 number ${kill}${kill % 2 === 0 ? " with the database" : ""}: ${acknowledged.size} acknowledged, ${left.length} to send again`,
  );
  say(`  ready again after ${(await installation.start()).toFixed(0)} ms`);
}
while (left.length > 0) left = await sendAll(installation.url, left, acknowledged, () => false);
// What the platform would do after a lost answer: some come again although they were stored.
await sendAll(installation.url, webhooks.slice(0, Math.ceil(events / 10)), acknowledged, () => false);

const url = await installation.databaseUrl();
if (values.sabotage) await sabotage(url);
const findings = await check(url, webhooks, acknowledged);
say(`  Ctrl-C: everything ended after ${(await installation.stop()).toFixed(0)} ms`);
rmSync(dataDir, { recursive: true, force: true });
for (const [name, count] of Object.entries(findings)) say(`  ${name}: ${count}`);

const clean = isClean(findings) && findings.acknowledged === events;
if (values.sabotage) say(clean ? "FAILED: the checker did not see the sabotage" : "the checker saw the sabotage");
else say(clean ? "nothing acknowledged was lost, nothing was doubled" : `FAILED: run it again with --seed ${seed}`);
process.exit(clean === values.sabotage ? 1 : 0);

/** One event vanishes, one is doubled, one view forgets: a checker that stays green is none. */
async function sabotage(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET session_replication_role = replica"); // past the trigger that keeps the log
  await client.query("DELETE FROM events WHERE (received_at, seq) IN (SELECT received_at, seq FROM events ORDER BY seq LIMIT 1)");
  await client.query(
    `INSERT INTO events (received_at, seq, workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers)
     SELECT received_at, nextval('events_seq'), workspace_id, source_id, event_id, type, created, recognised, signature_form, secret_id, body, headers FROM events ORDER BY seq LIMIT 1`,
  );
  await client.query(
    "UPDATE views SET registers = '{}' WHERE (workspace_id, kind, id) IN (SELECT workspace_id, kind, id FROM views WHERE kind = 'document' LIMIT 1)",
  );
  await client.end();
}
