import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeOpenFolder } from "#tests/support/open-folder";
import { residentMegabytes } from "#tests/support/resident-memory";
import { Installation } from "../chaos/installation.ts";
import { load, percentile, say } from "./harness.ts";

// `npm run bench -- memory`: a whole installation at a steady rate, and what its
// web process holds in memory meanwhile. Linux. `--share 0.5` of what it can
// take at most, found by a burst first.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    share: { type: "string", default: "0.5" },
    connections: { type: "string", default: "64" },
  },
});
const [minutes, connections] = [Number(values.minutes), Number(values.connections)];

const dataDir = makeOpenFolder("signalbox-memory-");
const installation = new Installation(dataDir);
await installation.start();
const target = { port: Number(new URL(installation.url).port), connections, path: "/webhooks/platform", secret: installation.secret };
const burst = await load({ ...target, seconds: 8, run: "burst" });
const perSecond = Math.floor(burst.perSecond * Number(values.share));
say(`memory: at most ${burst.perSecond.toFixed(0)} events/s, so ${perSecond}/s for ${minutes} minutes`);

const pid = installation.childPid("web");
const megabytes: number[] = [];
const timer = setInterval(() => {
  megabytes.push(residentMegabytes(pid));
  if (megabytes.length % 30 === 0) say(`  after ${megabytes.length * 2} s: ${megabytes.at(-1)?.toFixed(0)} MB`);
}, 2000);
const result = await load({ ...target, seconds: minutes * 60, run: "steady", perSecond });
clearInterval(timer);
const share = Math.max(1, Math.floor(megabytes.length / 5));
const medianOf = (from: number) => percentile(megabytes.slice(from, from + share), 0.5);
const [early, late] = [medianOf(share), medianOf(megabytes.length - share)];
say(`  ${result.perSecond.toFixed(0)} events/s, p99 ${result.p99.toFixed(1)} ms, answers ${JSON.stringify(result.answers)}`);
say(
  `  web process: ${early.toFixed(0)} MB in the second fifth, ${late.toFixed(0)} MB in the last: ${(late - early).toFixed(0)} MB more; highest ${Math.max(...megabytes).toFixed(0)} MB`,
);
await installation.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);
