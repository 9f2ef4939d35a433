import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { makeOpenFolder } from "#tests/support/open-folder";
import { load, type Result, say } from "../harness.ts";
import { MeasuredServer } from "./measured-server.ts";
import { processorSeconds } from "./processes.ts";

/** Events that are sent first, so that nobody pays for the start. */
export const WARM = 2000;
/** Bytes of a body. */
export const BYTES = 1024;

/** A receiver of webhooks that is measured, on a database of its own. */
export type Subject = {
  target: { port: number; path: string; secret?: string };
  /** Process that receives, and the one that applies what was stored; null where there is none. */
  web: number;
  worker: number | null;
  /** True once so many events are through: stored, and applied where it does that. */
  isThrough: (total: number) => Promise<boolean>;
  stop: () => Promise<void> | void;
};

/** Starts a subject on that database; the folder is its own. */
export type StartSubject = (server: MeasuredServer, folder: string) => Promise<Subject>;

/** `turns`: how often the events are sent; of more than one the first, on fresh processes, is left out of the median. */
export type Order = {
  events: number;
  documents: number;
  newInTen: number;
  connections: number;
  statements: number;
  records?: number;
  turns?: number;
  programs?: string | undefined;
};

/** Cost of an event: processor time in microseconds, log and disk in bytes. Latencies in milliseconds, from the socket. */
export type Cost = Result & {
  postgres: number;
  web: number;
  worker: number;
  wal: number;
  disk: number;
  statements: string[];
  records: string[];
};

/** Processor time of an event in microseconds, of all processes. */
export const processorOf = ({ postgres, web, worker }: Cost): number => postgres + web + worker;

/** Sends a few events, then all of them as often as asked, and waits each time until they are through. Returns the turn of median processor time. */
export async function costOf(start: StartSubject, { turns = 1, ...order }: Order): Promise<Cost> {
  const folder = makeOpenFolder("signalbox-cost-");
  const server = await MeasuredServer.start(folder, { programs: order.programs });
  const subject = await start(server, folder);
  await load({ ...loadOf(subject, order), run: "warm", events: WARM });
  await untilThrough(subject, WARM);
  const costs: Cost[] = [];
  for (let turn = 0; turn < turns; turn += 1) costs.push(await costOfTurn(server, subject, order, turn));
  await subject.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  const counted = (turns > 1 ? costs.slice(1) : costs).sort((a, b) => processorOf(a) - processorOf(b));
  return counted[Math.floor((counted.length - 1) / 2)] as Cost;
}

const loadOf = ({ target }: Subject, { connections, documents, newInTen }: Order) => ({
  ...target,
  connections,
  documents,
  newInTen,
  bytes: BYTES,
});

async function untilThrough(subject: Subject, total: number): Promise<void> {
  while (!(await subject.isThrough(total))) await sleep(1000);
}

async function costOfTurn(server: MeasuredServer, subject: Subject, order: Order, turn: number): Promise<Cost> {
  const { events, statements, records = 0 } = order;
  const spent = async () => ({
    ...(await server.spent()),
    postgres: processorSeconds(server.pid),
    web: processorSeconds(subject.web),
    worker: subject.worker === null ? 0 : processorSeconds(subject.worker),
  });
  await server.reset();
  const before = await spent();
  const since = performance.now();
  const result = await load({ ...loadOf(subject, order), run: `run${turn}`, events });
  // Waiting until all are through would not end.
  if (result.answers["200"] !== events)
    throw new Error(`not all were stored: ${JSON.stringify(result.answers)}. Run it on a quieter machine.`);
  await untilThrough(subject, WARM + (turn + 1) * events);
  const after = await spent();
  const dearest = await server.statements(statements);
  const logged = records > 0 ? await server.logRecords(before.walBytes, after.walBytes, records) : [];
  const each = (seconds: number) => (seconds * 1_000_000) / events;
  const cost: Cost = {
    ...result,
    postgres: each(after.postgres - before.postgres),
    web: each(after.web - before.web),
    worker: each(after.worker - before.worker),
    wal: (after.walBytes - before.walBytes) / events,
    disk: (after.diskBytes - before.diskBytes) / events,
    statements: dearest.map(
      ({ text, calls, ms, walBytes }) =>
        `    ${each(ms / 1000)
          .toFixed(1)
          .padStart(6)} µs ${(walBytes / events).toFixed(0).padStart(5)} bytes ${String(calls).padStart(7)} calls  ${text.slice(0, 90)}`,
    ),
    records: logged.map(
      ({ relation, record, ...of }) =>
        `    ${(of.bytes / events).toFixed(0).padStart(6)} bytes ${(of.pages / events).toFixed(0).padStart(5)} in whole pages ` +
        `${(of.records / events).toFixed(2).padStart(6)} records  ${relation} ${record}`,
    ),
  };
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  say(
    `    turn ${turn + 1}: ${processorOf(cost).toFixed(0)} µs, ${result.perSecond.toFixed(0)} acknowledged a second, ` +
      `answers ${JSON.stringify(result.answers)}, all through after ${seconds} s`,
  );
  return cost;
}

/** Prints what an event cost. */
export function printCost(name: string, cost: Cost): void {
  const us = (value: number) => `${value.toFixed(0)} µs`;
  say(
    `  ${name}: PostgreSQL ${us(cost.postgres)}, web ${us(cost.web)}, worker ${us(cost.worker)}, together ${us(processorOf(cost))} an event; ` +
      `log ${cost.wal.toFixed(0)} bytes, disk ${cost.disk.toFixed(0)} bytes (${(cost.disk - BYTES).toFixed(0)} beyond the body); ` +
      `${cost.perSecond.toFixed(0)} a second, p50 ${cost.p50.toFixed(1)} and p99 ${cost.p99.toFixed(1)} ms`,
  );
}
