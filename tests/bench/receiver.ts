import { pool } from "#lib/db/pool";
import { appendEvents } from "#lib/ingest/log-store";
import type { NewEvent } from "#lib/ingest/receipt";
import { newEvent } from "#tests/support/new-event";
import {
  type BenchServer,
  emptyLog,
  load,
  type Place,
  percentile,
  type Result,
  type ServerKind,
  say,
  startServer,
  timings,
} from "./harness.ts";

type BenchOptions = { databaseUrl: string; rounds: number; seconds: number; connections: number; kinds: ServerKind[] };

/**
 * The receiver's two servers beside the limit of this machine, in turns on one
 * database, so that noise strikes all of them; then one request alone beside a
 * bare insert of the same event.
 */
export async function benchReceiver(place: Place, { databaseUrl, rounds, seconds, connections, kinds }: BenchOptions): Promise<void> {
  const servers = await Promise.all(kinds.map((kind) => startServer(kind, place, databaseUrl)));
  const results = new Map<ServerKind, Result[]>(kinds.map((kind) => [kind, []]));
  say(`receiver: 1 KB bodies, ${connections} connections, ${rounds} rounds of ${seconds} s in turns`);
  for (let round = 0; round < rounds; round += 1)
    for (const { kind, port } of inTurns(servers, round)) {
      const result = await load({ port, connections, seconds, run: `${kind}${round}` });
      results.get(kind)?.push(result);
      say(`  ${kind.padEnd(5)} ${wordsOf(result)}`);
      await emptyLog();
    }
  for (const kind of kinds.filter((each) => each !== "limit")) {
    const ratio = (of: "perSecond" | "p99") => compared(results.get(kind) ?? [], results.get("limit") ?? [], of).toFixed(2);
    say(`  ${kind} against limit, median of the rounds' ratios: throughput ${ratio("perSecond")}, p99 ${ratio("p99")}`);
  }
  await benchAlone(place, servers);
  for (const server of servers) server.stop();
}

/** In turns again: a bare insert from this process, then one connection through each server. */
async function benchAlone(place: Place, servers: BenchServer[]): Promise<void> {
  const bare: number[] = [];
  const through = new Map<ServerKind, number[]>();
  for (let round = 0; round < 3; round += 1) {
    bare.push(percentile(await timings(500, (run) => appendEvents(pool("receiver"), [eventOf(place, `evt_bare_${round}_${run}`)])), 0.5));
    for (const { kind, port } of servers) {
      const { p50 } = await load({ port, connections: 1, seconds: 2, run: `${kind}alone${round}` });
      through.set(kind, [...(through.get(kind) ?? []), p50]);
    }
  }
  say(`  one alone: a bare insert p50 ${percentile(bare, 0.5).toFixed(2)} ms`);
  for (const [kind, each] of through) say(`  one alone through ${kind}: p50 ${percentile(each, 0.5).toFixed(2)} ms`);
  await emptyLog();
}

function eventOf(place: Place, eventId: string): NewEvent {
  const [type, created] = ["document.uploaded", 1_760_000_000];
  const body = Buffer.from(JSON.stringify({ id: eventId, type, created, data: { filler: "x".repeat(920) } }));
  return newEvent({ ...place, eventId, type, created, body });
}

/** Every other round backwards: none always runs after the same other. */
const inTurns = (servers: BenchServer[], round: number) => (round % 2 === 0 ? servers : [...servers].reverse());

/** Round by round, because the machine is another one a minute later. */
const compared = (own: Result[], limits: Result[], of: "perSecond" | "p99") =>
  percentile(
    own.map((result, round) => result[of] / (limits[round]?.[of] ?? Number.NaN)),
    0.5,
  );

const wordsOf = ({ perSecond, p50, p99, answers }: Result) =>
  `${perSecond.toFixed(0)} durable events/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, answers ${JSON.stringify(answers)}`;
