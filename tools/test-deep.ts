import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { ENGINES } from "#tests/deep/engines/installed-engines";
import { measureSlowness } from "#tests/support/yardstick";
import { commandOf, ROOT, runNode } from "./run-command.ts";
import { runPlaywright } from "./testing/run-playwright.ts";
import { BUILD, runStages, type Stage, type StageTools } from "./testing/run-stages.ts";
import { runVitest } from "./testing/run-vitest.ts";
import type { Found } from "./testing/test-stage.ts";

// `npm run test:deep [-- PART …]`: what `npm test` leaves out, part after part (docs/decisions/0113). Without a part: all of them.

const vitest = (name: string, ...args: string[]): Stage => ({ name, work: (tools) => runVitest(args, tools) });

const PARTS: Record<string, Stage[]> = {
  processes: [vitest("processes that start, stop and are killed", "--project=processes")],
  outages: [vitest("outages, floods and neighbours", "--project=outages")],
  histories: [vitest("random histories", "--project=histories")],
  variants: [
    vitest("further tests of each subject", "--project=tagged", "--tags-filter=deep"),
    vitest("all values, through both receivers", "--project=variants", "--tags-filter=!deep"),
  ],
  senders: [
    { name: "installing the senders' own libraries", work: () => installLibraries("senders") },
    vitest("the senders' own libraries", "--project=senders"),
  ],
  api: [
    { name: "installing linters of OpenAPI documents", work: () => installLibraries("api") },
    vitest("the API's description by others' rules", "--project=api"),
  ],
  engines: [
    { name: "installing a driver of Firefox", work: () => installLibraries("engines") },
    BUILD,
    { name: "the main job in Firefox and WebKitGTK", work: runEngines },
  ],
  browser: [BUILD, { name: "browser tests, every look", work: (tools) => runPlaywright(tools, [], { TEST_DEEP: "on" }) }],
  pace: [vitest("paces, one file after the other", "--project=pace", "--maxWorkers=1")],
};

/** In a folder of their own, where only these tests find them: 200 MB that nobody else needs. */
async function installLibraries(part: "senders" | "api" | "engines"): Promise<Found> {
  const folder = path.join(ROOT, "tests/deep", part);
  execFileSync("npm", ["ci", "--loglevel=error"], { cwd: path.join(folder, "libraries"), stdio: ["ignore", "ignore", "inherit"] });
  rmSync(path.join(folder, "node_modules"), { force: true });
  symlinkSync("libraries/node_modules", path.join(folder, "node_modules"), "junction");
  const { code, output } = await runNode(commandOf("typescript", "tsc"), ["--noEmit", "-p", folder]);
  if (code !== 0) throw new Error(output);
  return { passed: 1, failed: 0 };
}

/** Says which engine is not installed: its tests are skipped. */
async function runEngines(tools: StageTools): Promise<Found> {
  const engines = Object.entries(ENGINES);
  for (const [name, { missing }] of engines)
    if (missing.length > 0) tools.write(`${name}: skipped, not installed (Debian: ${missing.join(", ")})\n`);
  if (engines.every(([, { missing }]) => missing.length > 0)) return { passed: 0, failed: 0 };
  return runVitest(["--project=engines"], tools);
}

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !(part in PARTS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part "${unknown.join('", "')}". There are: ${Object.keys(PARTS).join(", ")}; without one, all of them.\n`,
  );
  process.exit(1);
}
const parts = asked.length > 0 ? asked : Object.keys(PARTS);
await runStages(
  parts.flatMap((part) => PARTS[part] ?? []),
  measureSlowness(),
);
