import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeOpenFolder } from "#tests/support/open-folder";
import { EVERYTHING_WAITING } from "#tests/support/waiting";
import { externalSecrets, Installation } from "../../chaos/installation.ts";
import { load, say, startBareServer } from "../harness.ts";
import { MeasuredServer } from "./measured-server.ts";
import { processorSeconds } from "./processes.ts";

// `npm run bench -- cost`: what an event costs, from the socket until it stands in
// its view and in the search, beside a bare receiver that only stores it. In
// processor time (of every process of ours and of PostgreSQL, from /proc) and
// in bytes of write-ahead log, which other work on the machine hardly moves.
// Linux. `--events 1000000` for a long one, `--documents` for how many records.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "60000" },
    documents: { type: "string", default: "5000" },
    connections: { type: "string", default: "64" },
    statements: { type: "string", default: "16" },
  },
});
const [events, documents, connections] = [values.events, values.documents, values.connections].map(Number) as [number, number, number];
const WARM = 2000;
const BYTES = 1024;

type Cost = { postgres: number; web: number; worker: number; wal: number; disk: number; statements: string[] };

say(`cost: ${events} events of ${BYTES} bytes over ${documents} documents, ${connections} connections`);
const bare = await costOfBare();
print("bare server", bare);
const whole = await costOfWhole();
print("Signalbox", whole);
const sum = ({ postgres, web, worker }: Cost) => postgres + web + worker;
say(`  Signalbox against bare: processor ${(sum(whole) / sum(bare)).toFixed(2)} times, log ${(whole.wal / bare.wal).toFixed(2)} times`);
for (const line of whole.statements) say(line);
process.exit(0);

function print(name: string, { postgres, web, worker, wal, disk }: Cost): void {
  const us = (value: number) => `${value.toFixed(0)} µs`;
  say(
    `  ${name}: PostgreSQL ${us(postgres)}, web ${us(web)}, worker ${us(worker)}, together ${us(postgres + web + worker)} an event; ` +
      `log ${wal.toFixed(0)} bytes, disk ${disk.toFixed(0)} bytes (${(disk - BYTES).toFixed(0)} beyond the body)`,
  );
}

async function costOfBare(): Promise<Cost> {
  const folder = makeOpenFolder("signalbox-cost-");
  const server = await MeasuredServer.start(folder);
  const bareServer = await startBareServer(server.url);
  const send = (run: string, count: number) =>
    load({ port: bareServer.port, connections, run, events: count, documents, bytes: BYTES, path: "/" });
  const cost = await measured(
    server,
    () => processorSeconds(bareServer.pid),
    () => 0,
    send,
    async (total) => {
      const [row] = await server.query<{ n: string }>("SELECT count(*) AS n FROM bare_events");
      return Number(row?.n) === total;
    },
  );
  bareServer.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return cost;
}

async function costOfWhole(): Promise<Cost> {
  const folder = makeOpenFolder("signalbox-cost-");
  const server = await MeasuredServer.start(folder);
  const secrets = externalSecrets();
  mkdirSync(path.join(folder, "data"));
  const installation = new Installation(path.join(folder, "data"), {
    environment: { DATABASE_URL: server.url, SANDBOX: "off", ...secrets },
  });
  await installation.start();
  const target = { port: Number(new URL(installation.url).port), path: "/webhooks/platform", secret: installation.secret };
  const send = (run: string, count: number) => load({ ...target, connections, run, events: count, documents, bytes: BYTES });
  const [web, worker] = [installation.childPid("web"), installation.childPid("worker")];
  const cost = await measured(
    server,
    () => processorSeconds(web),
    () => processorSeconds(worker),
    send,
    async (total) => {
      // Looking is to cost little: only once all are applied, they are counted.
      const [log] = await server.query<{ applied: boolean }>(
        `SELECT bool_and(p.seq >= (SELECT last_value FROM events_seq)) AND NOT EXISTS (SELECT 1 FROM log_ranges WHERE ended_at IS NULL) AS applied
         FROM log_places p`,
      );
      if (log?.applied !== true) return false;
      const [row] = await server.query<{ filed: string; waiting: boolean }>(
        `SELECT (SELECT count(*) FROM event_search) AS filed, EXISTS (SELECT 1 FROM ${EVERYTHING_WAITING} w) AS waiting`,
      );
      return row?.waiting === false && Number(row.filed) === total;
    },
  );
  const [views] = await server.query<{ made: string; updated: string; hot: string }>(
    "SELECT n_tup_ins AS made, n_tup_upd AS updated, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'views'",
  );
  say(
    `    records: ${views?.made} made, ${views?.updated} updated, of them ${views?.hot} in place (HOT), the first ${WARM} events included`,
  );
  await installation.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return cost;
}

type Answers = { answers: Record<string, number>; perSecond: number };

/** Sends a few first, so that nobody pays for the start; then all, until they are through. */
async function measured(
  server: MeasuredServer,
  web: () => number,
  worker: () => number,
  send: (run: string, count: number) => Promise<Answers>,
  isThrough: (total: number) => Promise<boolean>,
): Promise<Cost> {
  const until = async (total: number) => {
    while (!(await isThrough(total))) await sleep(1000);
  };
  await send("warm", WARM);
  await until(WARM);
  await server.reset();
  const before = { ...(await server.spent()), postgres: processorSeconds(server.pid), web: web(), worker: worker() };
  const since = performance.now();
  const { answers, perSecond } = await send("run", events);
  await until(WARM + events);
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  say(`    ${perSecond.toFixed(0)} acknowledged a second, answers ${JSON.stringify(answers)}, all through after ${seconds} s`);
  const after = { ...(await server.spent()), postgres: processorSeconds(server.pid), web: web(), worker: worker() };
  const statements = await server.statements(Number(values.statements));
  const each = (seconds: number) => (seconds * 1_000_000) / events;
  return {
    postgres: each(after.postgres - before.postgres),
    web: each(after.web - before.web),
    worker: each(after.worker - before.worker),
    wal: (after.walBytes - before.walBytes) / events,
    disk: (after.diskBytes - before.diskBytes) / events,
    statements: statements.map(
      ({ text, calls, ms, walBytes }) =>
        `    ${each(ms / 1000)
          .toFixed(1)
          .padStart(6)} µs ${(walBytes / events).toFixed(0).padStart(5)} bytes ${String(calls).padStart(7)} calls  ${text.slice(0, 90)}`,
    ),
  };
}
