import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { appendEvents } from "#lib/ingest/log-store";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { newEvent } from "#tests/support/new-event";
import { atSize, expectMemory } from "#tests/support/pace";
import { countWaiting } from "#tests/support/waiting";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

const database = useDatabase();

const EVENTS = atSize(300, 30);
const MEGABYTE = 1_000_000;
const LIMIT_MB = 1024;

/** A webhook of 1 MB that takes ten to twenty times as much once it is parsed. */
function largeBody(eventId: string, number: string): Buffer {
  const head = `{"id":"${eventId}","type":"document.processed","created":1760000000,"data":{"documentId":"doc_${eventId}","n":[`;
  const numbers = `${number},`.repeat(Math.floor((MEGABYTE - head.length) / (number.length + 1)));
  return Buffer.from(`${head}${numbers}1]}}`);
}

const NUMBERS = ["7", "[7]", '{"n":7}', "0.5", "[[]]"];

/** The most memory that a process has held so far, in MB (proc(5), VmHWM). */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

it.runIf(process.platform === "linux")(
  `a worker applies ${EVENTS} waiting events of 1 MB of small numbers in less than 1 GB of memory`,
  { timeout: 240_000 },
  async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    for (let n = 0; n < EVENTS; n += 10) {
      const events = Array.from({ length: 10 }, (_, offset) => {
        const eventId = `evt_${n + offset}`;
        const body = largeBody(eventId, NUMBERS[(n + offset) % NUMBERS.length] ?? "7");
        return newEvent({ workspaceId, sourceId, eventId, type: "document.processed", created: 1_760_000_000, body });
      });
      await appendEvents(pool("web"), events);
    }
    const worker = await startWorker(database.url());
    const since = performance.now();
    let died: number | string | null = null;
    void worker.ended.then((how) => {
      died = how;
    });
    let peak = 0;
    while (died === null && (await countWaiting()) > 0) {
      peak = Math.max(peak, peakMegabytes(worker.pid));
      await sleep(100);
    }
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    figure(`${EVENTS} waiting events of 1 MB of small numbers applied in ${seconds} s, the worker's memory at most ${peak} MB`);
    expect(died).toBeNull();
    expect((await pool().query("SELECT 1 FROM views WHERE kind = 'document'")).rowCount).toBe(EVENTS);
    expect((await pool().query("SELECT 1 FROM dead_letters")).rowCount).toBe(0);
    expectMemory(peak, LIMIT_MB);
  },
);
