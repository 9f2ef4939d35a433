import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeOpenFolder } from "#tests/support/open-folder";
import { BYTES } from "./cost/measure.ts";
import { MeasuredServer, type StatementCost } from "./cost/measured-server.ts";
import { processorSeconds } from "./cost/processes.ts";
import { startSignalbox } from "./cost/subjects.ts";
import { load, say } from "./harness.ts";

// `npm run bench -- growth`: whether an event costs more as the log grows. Turns of so many events that bring new
// documents each; of every turn the processor time of database, web process and worker, and of every statement its time
// and the pages that it touched. `--programs /usr/lib/postgresql/15/bin` for that PostgreSQL on its default settings
// instead of the one that comes with Signalbox, `--setting autovacuum=off` for another setting of it. Linux.

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "6" },
    events: { type: "string", default: "20000" },
    documents: { type: "string", default: "5000" },
    connections: { type: "string", default: "64" },
    statements: { type: "string", default: "14" },
    programs: { type: "string" },
    setting: { type: "string", multiple: true, default: [] },
  },
});
const [turns, events, documents, connections, shown] = [
  values.turns,
  values.events,
  values.documents,
  values.connections,
  values.statements,
].map(Number) as [number, number, number, number, number];
const settings = Object.fromEntries(values.setting.map((each) => each.split("=", 2) as [string, string]));

type Turn = { database: number; own: number; log: number; pages: number; statements: StatementCost[] };

const folder = makeOpenFolder("signalbox-growth-");
const server = await MeasuredServer.start(folder, { programs: values.programs, settings });
const subject = await startSignalbox(server, folder);
const [version] = await server.query<{ version: string }>("SELECT current_setting('server_version') AS version");
say(`growth: ${turns} turns of ${events} events of ${BYTES} bytes, ${documents} new documents each, ${connections} connections`);
say(`  PostgreSQL ${version?.version}, ${values.programs ? "default settings" : "as it comes with Signalbox"} ${values.setting.join(" ")}`);

const measured: Turn[] = [];
for (let turn = 0; turn < turns; turn += 1) {
  measured.push(await measureTurn(turn));
  const { database, own, log, pages } = measured.at(-1) as Turn;
  say(
    `  turn ${turn + 1}: database ${us(database)}, web and worker ${us(own)} an event; log ${log.toFixed(0)} bytes, ${pages.toFixed(1)} pages`,
  );
}
say(`  last two turns over the first two: database ${growth(({ database }) => database)}, pages ${growth(({ pages }) => pages)}`);
printStatements();
await subject.stop();
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);

async function measureTurn(turn: number): Promise<Turn> {
  await server.reset();
  const spent = async () => ({
    log: (await server.spent()).walBytes,
    database: processorSeconds(server.pid),
    own: processorSeconds(subject.web) + (subject.worker === null ? 0 : processorSeconds(subject.worker)),
  });
  const before = await spent();
  const { answers } = await load({ ...subject.target, connections, run: `t${turn}`, events, documents, ofRun: true, bytes: BYTES });
  if (Object.keys(answers).some((status) => status !== "200")) say(`    answers ${JSON.stringify(answers)}`);
  while (!(await subject.isThrough((turn + 1) * events))) await sleep(1000);
  const after = await spent();
  const statements = await server.statements(1000);
  return {
    database: ((after.database - before.database) * 1_000_000) / events,
    own: ((after.own - before.own) * 1_000_000) / events,
    log: (after.log - before.log) / events,
    pages: statements.reduce((sum, { pages }) => sum + pages, 0) / events,
    statements,
  };
}

/** Mean of the last two turns over that of the first two. */
function growth(of: (turn: Turn) => number): string {
  const sum = (some: Turn[]) => some.reduce((total, turn) => total + of(turn), 0);
  return `${(sum(measured.slice(-2)) / sum(measured.slice(0, 2))).toFixed(2)} times`;
}

/** The statements whose pages or time grew the most, turn by turn. */
function printStatements(): void {
  const costOf = (turn: Turn | undefined, id: string) => turn?.statements.find((each) => each.id === id);
  const ids = [...new Set(measured.flatMap(({ statements }) => statements.map(({ id }) => id)))];
  const grown = (id: string) => (costOf(measured.at(-1), id)?.pages ?? 0) - (costOf(measured[0], id)?.pages ?? 0);
  const dear = (id: string) => costOf(measured.at(-1), id)?.ms ?? 0;
  const first = [...ids].sort((a, b) => grown(b) - grown(a)).slice(0, shown);
  const others = [...ids].sort((a, b) => dear(b) - dear(a)).slice(0, shown);
  for (const id of new Set([...first, ...others])) {
    const costs = measured.map((turn) => costOf(turn, id));
    const each = (of: (cost: StatementCost) => number, digits: number) =>
      costs.map((cost) => (cost ? of(cost) / events : 0).toFixed(digits).padStart(6)).join(" ");
    const text = costs.find((cost) => cost !== undefined)?.text.slice(0, 90);
    say(`    pages ${each(({ pages }) => pages, 2)}   µs ${each(({ ms }) => ms * 1000, 0)}   ${text}`);
  }
}

function us(value: number): string {
  return `${value.toFixed(0)} µs`;
}
