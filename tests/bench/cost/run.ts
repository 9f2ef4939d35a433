import { parseArgs } from "node:util";
import { say } from "../harness.ts";
import { BYTES, costOf, printCost, processorOf } from "./measure.ts";
import { startBare, startSignalbox } from "./subjects.ts";

// `npm run bench -- cost`: what an event costs, from the socket until it stands in
// its view and in the search, beside a bare receiver that only stores it. In
// processor time (of every process of ours and of PostgreSQL, from /proc) and
// in bytes of write-ahead log, which other work on the machine hardly moves.
// Linux. In turns of so many events, the first of which warms up; the figures are those of the turn of median processor time.
// `--events 1000000 --turns 1` for a long one, `--documents` for how many records,
// `--programs /usr/lib/postgresql/15/bin` for that PostgreSQL on its default settings,
// `--new 3` for how many events in ten are the first of another one,
// `--records 40` for what took most of the log, by table and index.

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    documents: { type: "string", default: "5000" },
    new: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
    statements: { type: "string", default: "16" },
    records: { type: "string", default: "0" },
    turns: { type: "string", default: "4" },
    programs: { type: "string" },
  },
});
const order = {
  events: Number(values.events),
  documents: Number(values.documents),
  newInTen: Number(values.new),
  connections: Number(values.connections),
  statements: Number(values.statements),
  records: Number(values.records),
  turns: Number(values.turns),
  programs: values.programs,
};

say(
  `cost: ${order.turns} turns of ${order.events} events of ${BYTES} bytes over ${order.documents} documents, ${order.connections} connections`,
);
const bare = await costOf(startBare, order);
printCost("bare server", bare);
const whole = await costOf(startSignalbox, order);
printCost("Signalbox", whole);
say(
  `  Signalbox against bare: processor ${(processorOf(whole) / processorOf(bare)).toFixed(2)} times, log ${(whole.wal / bare.wal).toFixed(2)} times`,
);
for (const line of [...whole.statements, ...whole.records]) say(line);
process.exit(0);
