import { expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { KEPT_PER_IP, KEPT_PER_SOURCE, REJECTIONS_PER_IP } from "#lib/ingest/receiver-limits";
import { useDatabase } from "#tests/support/database";
import { figure } from "#tests/support/figure";
import { flood } from "#tests/support/flood";
import { sendUntilKept } from "#tests/support/impatient-sender";
import { atSize, expectPace, hurriedClock } from "#tests/support/pace";
import { openWire, statusOf } from "#tests/support/raw-request";
import { nodeReceiver, useReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, sign, signed } from "#tests/support/webhooks";

useDatabase();
const answeredAfter: number[] = [];
const receiver = useReceiver(nodeReceiver((ms) => answeredAfter.push(ms)));
const port = () => receiver.port() ?? 0;

const MIB = 1_048_576;
// Beyond the limit each answer is held back for a second or more: that, too, bounds what a flood sends.
const UNSIGNED = atSize(8000, 1600);
const WRONG = atSize(1920, 480);
const SLOW = atSize(200, 40);
const BODIES = atSize(96, 24);
const megabytes = (bytes: number) => Math.round(bytes / MIB);

/** A whole request on a connection that stays open. */
const request = (source: string, headers: Record<string, string>, body: string) =>
  [`POST /webhooks/${source} HTTP/1.1`, "host: localhost", `content-length: ${Buffer.byteLength(body)}`]
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .join("\r\n")
    .concat("\r\n\r\n", body);

const rowsOf = async (sourceId: string) =>
  (await pool().query<{ n: number }>("SELECT count(*) AS n FROM quarantine WHERE source_id = $1", [sourceId])).rows[0]?.n ?? -1;

it("a flood of unsigned and of wrongly signed requests writes a bounded number of rows, and what verifies still gets in", {
  timeout: 120_000,
}, async () => {
  const { source, sourceId } = await makeWorkspace();
  const body = envelope();
  expect((await receiver.send(source, signed(envelope()))).status).toBe(200); // the source is in memory, as of any that receives
  const started = performance.now();
  const unsigned = await flood(port(), request(source, {}, body), UNSIGNED);
  const wrong = await flood(port(), request(source, { "x-webhook-signature": sign(body, "wrong") }, body), WRONG);
  const minutes = Math.floor((performance.now() - started) / 60_000) + 1;
  const of = (status: number) => (unsigned.statuses[status] ?? 0) + (wrong.statuses[status] ?? 0);
  // A machine without time to spare answers some with 503: those count in no limit.
  expect(of(401) + of(429) + of(503)).toBe(UNSIGNED + WRONG);
  expect(of(401) + of(503)).toBeGreaterThanOrEqual(REJECTIONS_PER_IP);
  expect(of(401)).toBeLessThanOrEqual(REJECTIONS_PER_IP * minutes);
  expect(of(429)).toBeGreaterThan(0);
  expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
  const rows = await rowsOf(sourceId);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(KEPT_PER_IP * minutes);
  expect(KEPT_PER_IP).toBeLessThan(KEPT_PER_SOURCE);
  figure(
    `${UNSIGNED} unsigned requests at ${Math.round(UNSIGNED / unsigned.seconds)}/s and ${WRONG} wrongly signed at ${Math.round(WRONG / wrong.seconds)}/s write ${rows} rows (at most ${KEPT_PER_SOURCE} a source and minute); a signed one after them gets 200`,
  );
});

it("wrongly signed bodies that are costly to read take a bounded share of the processor", { timeout: 120_000 }, async () => {
  receiver.renew(createReceiver({ clock: hurriedClock }));
  const { source } = await makeWorkspace();
  const keys = Array.from({ length: 55_000 }, (_, n) => `"key${n}":${n}`).join();
  const costly = `{ "id":"evt_costly","type":"document.uploaded","created":1,"data":{${keys}}}`;
  const statuses: number[] = [];
  // A machine without time to spare answers some with 503: none of those is read.
  const send = async () => statuses.push((await sendUntilKept(receiver, source, signed(costly, "wrong"))).status);
  // The number of bodies read depends on the machine; that it ends does not.
  while (statuses.at(-1) !== 429 && statuses.length < 1000) await send();
  await Promise.all(Array.from({ length: 10 }, send));
  const looked = statuses.filter((status) => status === 401).length;
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.lastIndexOf(401)).toBe(looked - 1); // once its time is spent, none is read any more
  expect((await receiver.send(source, signed(costly))).status).toBe(200); // the raw bytes are always checked
  // The address has verified now and gets time of its own, which ends, too.
  for (statuses.length = 0; statuses.at(-1) !== 429 && statuses.length < 1000; ) await send();
  expect(statuses.at(-1)).toBe(429);
  const more = atSize(40, 4);
  const took = process.cpuUsage();
  await Promise.all(Array.from({ length: more }, () => receiver.send(source, signed(costly, "wrong"))));
  const each = process.cpuUsage(took).user / 1000 / more;
  figure(
    `costly bodies of ${megabytes(costly.length)} MB, wrongly signed: ${looked} read (2 s a minute and address), then 429 at ${each.toFixed(0)} ms of processor each, sender included`,
  );
});

it("many slow senders are cut after 10 s, and a fast one beside them notices nothing", { timeout: 120_000 }, async () => {
  const { source } = await makeWorkspace();
  const alone = await latencies(source, atSize(100, 20));
  const started = performance.now();
  const slow = Array.from({ length: SLOW }, (_, n) => {
    const wire = openWire(port());
    // One half trickles in the head, the other in the body.
    const whole = request(source, { "x-slow": "" }, "x".repeat(5000));
    wire.socket.write(n % 2 ? whole.slice(0, whole.indexOf("x-slow: ") + 8) : whole.slice(0, -4000));
    const drip = setInterval(() => wire.socket.write(n % 2 ? "a" : "x"), 500);
    return wire.ended.then((heard) => {
      clearInterval(drip);
      return { status: statusOf(heard), seconds: (performance.now() - started) / 1000 };
    });
  });
  const beside = await latencies(source, atSize(100, 20));
  const ends = await Promise.all(slow);
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set([408]));
  const last = Math.max(...ends.map(({ seconds }) => seconds));
  expectPace(last, 20);
  expectPace(beside.p99, Math.max(alone.p99 * 4, 500));
  figure(
    `${SLOW} slow senders: all 408, the last after ${last.toFixed(1)} s; a fast one: p50 ${alone.p50} ms and p99 ${alone.p99} ms alone, ${beside.p50} and ${beside.p99} ms beside them`,
  );
});

it("bodies of 1 MB while the database stands still: 503 with Retry-After within 5 s, memory bounded, and all get in later", {
  timeout: 120_000,
}, async () => {
  const { source, sourceId } = await makeWorkspace();
  const messages = Array.from({ length: BODIES }, (_, n) => {
    const base = envelope({ id: `big_${n}`, data: { filler: "" } });
    return signed(base.replace('"filler":""', `"filler":"${"x".repeat(MIB - base.length)}"`));
  });
  await receiver.send(source, signed(envelope())); // the source is known by now
  answeredAfter.length = 0;
  const blocker = await pool().connect();
  await blocker.query("BEGIN");
  await blocker.query("LOCK TABLE event_keys IN ACCESS EXCLUSIVE MODE");
  const before = process.memoryUsage().rss;
  const answers = await Promise.all(messages.map((message) => receiver.send(source, message)));
  const grown = megabytes(process.memoryUsage().rss - before);
  await blocker.query("ROLLBACK");
  blocker.release();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.every(({ headers }) => Number(headers.get("retry-after")) > 0)).toBe(true);
  const codes = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { code: string }).code));
  const full = codes.filter((code) => code === "overloaded").length;
  // 64 MB may wait, the rest is answered at once. Bodies that arrive slowly find room again: the first ones were given up by then.
  expect(full).toBeGreaterThanOrEqual(atSize(21, 0));
  expect(new Set([...codes, "overloaded", "unavailable"]).size).toBe(2);
  const longest = Math.max(...answeredAfter) / 1000;
  expectPace(longest, 5);
  for (const message of messages) expect((await receiver.send(source, message)).status).toBe(200);
  const { rows } = await pool().query("SELECT count(*) AS n FROM events WHERE source_id = $1", [sourceId]);
  expect(rows).toEqual([{ n: BODIES + 1 }]);
  figure(
    `database still, ${BODIES} bodies of 1 MB at once: all 503 with Retry-After (${full} at the full queue), the last ${longest.toFixed(1)} s after its body; sender and receiver together +${grown} MB; sent again: all 200`,
  );
});

async function latencies(source: string, count: number): Promise<{ p50: number; p99: number }> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    expect((await receiver.send(source, signed(envelope()))).status).toBe(200);
    took.push(performance.now() - started);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}
