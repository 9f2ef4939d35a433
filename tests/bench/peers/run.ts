import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeOpenFolder } from "#tests/support/open-folder";
import { BYTES, type Cost, costOf, printCost, processorOf, type StartSubject } from "../cost/measure.ts";
import { startBare, startSignalbox } from "../cost/subjects.ts";
import { percentile, say } from "../harness.ts";
import { installNextPrisma } from "./next-prisma.ts";
import { installNodeRed } from "./node-red.ts";

// `npm run bench -- peers`: what an event costs here, beside what others would build: Node-RED with `pg`, and a route handler of Next with
// Prisma, both installed from the npm registry into a folder of their own. They store a webhook and nothing else; Signalbox also applies it
// and files it for the search. In turns with the bare server, medians of the rounds. Linux.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    documents: { type: "string", default: "5000" },
    new: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
    rounds: { type: "string", default: "3" },
  },
});
const order = {
  events: Number(values.events),
  documents: Number(values.documents),
  newInTen: Number(values.new),
  connections: Number(values.connections),
  statements: 0,
};

const folder = makeOpenFolder("signalbox-peers-");
say("peers: installing Node-RED and Next with Prisma …");
const subjects: Record<string, StartSubject> = {
  "bare server": startBare,
  Signalbox: startSignalbox,
  "Node-RED with pg": installNodeRed(folder),
  "Next with Prisma": installNextPrisma(folder),
};
say(`peers: ${order.events} events of ${BYTES} bytes, ${order.connections} connections, ${values.rounds} rounds in turns`);
const costs = new Map<string, Cost[]>(Object.keys(subjects).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [name, start] of Object.entries(subjects)) {
    const cost = await costOf(start, order);
    printCost(name, cost);
    costs.get(name)?.push(cost);
  }
for (const name of Object.keys(subjects)) say(`  ${name} against bare, medians: ${againstBare(costs.get(name) ?? [])}`);
rmSync(folder, { recursive: true, force: true });
process.exit(0);

/** Ratios to the bare server of the same round: the machine is another one a minute later. */
function againstBare(own: Cost[]): string {
  const bare = costs.get("bare server") ?? [];
  const ratio = (of: (cost: Cost) => number) =>
    percentile(
      own.map((cost, round) => of(cost) / (bare[round] ? of(bare[round]) : Number.NaN)),
      0.5,
    ).toFixed(2);
  return (
    `processor ${ratio(processorOf)}, log ${ratio(({ wal }) => wal)}, disk ${ratio(({ disk }) => disk)}, ` +
    `acknowledged a second ${ratio(({ perSecond }) => perSecond)}, p50 ${ratio(({ p50 }) => p50)}, p99 ${ratio(({ p99 }) => p99)} times`
  );
}
