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

export type Order = { events: number; documents: number; newInTen: number; connections: number; statements: number; records?: number };

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

/** Sends a few events, then all of them, and waits until they are through. */
export async function costOf(start: StartSubject, order: Order): Promise<Cost> {
  const { events, documents, newInTen, connections, statements, records = 0 } = order;
  const folder = makeOpenFolder("signalbox-cost-");
  const server = await MeasuredServer.start(folder);
  const subject = await start(server, folder);
  const send = (run: string, count: number) =>
    load({ ...subject.target, connections, run, events: count, documents, newInTen, bytes: BYTES });
  const until = async (total: number) => {
    while (!(await subject.isThrough(total))) await sleep(1000);
  };
  const spent = async () => ({
    ...(await server.spent()),
    postgres: processorSeconds(server.pid),
    web: processorSeconds(subject.web),
    worker: subject.worker === null ? 0 : processorSeconds(subject.worker),
  });
  await send("warm", WARM);
  await until(WARM);
  await server.reset();
  const before = await spent();
  const since = performance.now();
  const result = await send("run", events);
  await until(WARM + events);
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  say(
    `    ${result.perSecond.toFixed(0)} acknowledged a second, answers ${JSON.stringify(result.answers)}, all through after ${seconds} s`,
  );
  const after = await spent();
  const dearest = await server.statements(statements);
  const logged = records > 0 ? await server.logRecords(before.walBytes, after.walBytes, records) : [];
  await subject.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  const each = (seconds: number) => (seconds * 1_000_000) / events;
  return {
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
