import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { pool } from "#lib/db/pool";
import { UNKNOWN_NAMES_PER_IP } from "#lib/ingest/receiver-limits";
import { useDatabase } from "#tests/support/database";
import { nodeReceiver, useReceiver } from "#tests/support/receivers";
import { atSize } from "#tests/support/sample";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useReceiver(nodeReceiver());

/** Counts every statement that goes to the database from now on, whichever pool sends it. */
function countQueries(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return () => count;
}

async function sendAll(names: string[], atOnce: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < names.length; at += atOnce) {
    const answers = await Promise.all(names.slice(at, at + atOnce).map((name) => receiver.send(name, { body: "{}" })));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

const KINDS: [kind: string, nameOf: (n: number) => string][] = [
  ["well-formed", (n) => `nobody-${n}`],
  ["with %00", (n) => `platform%00${n}`],
  ["overlong", (n) => `${"x".repeat(2000)}${n}`],
  ["in odd characters", (n) => `%F0%9F%A6%84-${n}-%E2%80%AE`],
  ["not valid UTF-8", (n) => `%ff%fe${n}`],
  ["in capitals", (n) => `PLATFORM-${n}`],
];

/** Only a well-formed name is looked up: it is always tried. */
const TRIED = KINDS.slice(0, atSize(KINDS.length, 1));

const REQUESTS = atSize(2000, 800);

describe("names that no source has", () => {
  it.each(TRIED)(
    "%s: many requests cost a bounded number of queries, count in the limits, and a good webhook gets in",
    { tags: ["deep"], timeout: 120_000 },
    async (_, nameOf) => {
      const { source } = await makeWorkspace();
      expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
      const started = performance.now();
      const queries = countQueries();
      const names = Array.from({ length: REQUESTS }, (_unused, n) => nameOf(n));
      // Requests over the limit are answered late: all of them are sent at once.
      const statuses = [...(await sendAll(names.slice(0, 650), 50)), ...(await sendAll(names.slice(650), REQUESTS))];
      const seconds = (performance.now() - started) / 1000;
      expect(queries()).toBeLessThan(20 + seconds * 2);
      const of = (wanted: number) => statuses.filter((status) => status === wanted).length;
      // A machine without time to spare answers some with 503: those count in no limit.
      expect(of(404) + of(429) + of(503)).toBe(REQUESTS);
      expect(of(404)).toBeLessThanOrEqual(UNKNOWN_NAMES_PER_IP * (Math.floor(seconds / 60) + 1));
      expect(of(404) + of(503)).toBeGreaterThanOrEqual(UNKNOWN_NAMES_PER_IP);
      expect(of(429)).toBeGreaterThan(0);
      expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
    },
  );

  it("don't hide a source that was just made, although the limit of the same address is used up", { tags: ["deep"] }, async () => {
    await sendAll(
      Array.from({ length: UNKNOWN_NAMES_PER_IP }, (_, n) => `nobody-${n}`),
      50,
    );
    const { source } = await makeWorkspace();
    const first = await receiver.send(source, signed(envelope()));
    expect([200, 429]).toContain(first.status);
    await expect.poll(async () => (await receiver.send(source, signed(envelope()))).status, { timeout: 60_000 }).toBe(200);
  });

  it("a source whose notification was lost is served within seconds", { tags: ["deep"] }, async () => {
    const { source, workspaceId } = await makeWorkspace();
    const renamed = `${source}-b`;
    expect((await receiver.send(renamed, signed(envelope()))).status).toBe(404);
    await pool().query("UPDATE sources SET name = $2 WHERE workspace_id = $1", [workspaceId, renamed]);
    await expect.poll(async () => (await receiver.send(renamed, signed(envelope()))).status, { timeout: 30_000, interval: 200 }).toBe(200);
  });
});
