import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { satisfies } from "semver";
import { ROOT } from "./run-command.ts";

// `npm run lock:engines`: after a change of dependencies. Why: CONTRIBUTING.md, "A dependency".

/** npm itself runs on the machine's Node.js: the oldest that the README allows. */
const MACHINES_NODE = "20.19.0";

type Lockfile = { packages: Record<string, { version?: string; optional?: boolean; engines?: { node?: string } }> };

/** The packages of a lockfile that `npm ci` would warn of on an old Node.js, although they never run on it; and those that can't run on ours. */
export function engineFaults({ packages }: Lockfile): { untrue: string[]; broken: string[] } {
  const ours = packages["node_modules/node"]?.version ?? "";
  const refusing = (version: string) =>
    Object.keys(packages).filter((name) => {
      const range = packages[name]?.engines?.node;
      return name !== "" && packages[name]?.optional !== true && range !== undefined && !satisfies(version, range);
    });
  const broken = refusing(ours);
  return { untrue: refusing(MACHINES_NODE).filter((name) => !broken.includes(name)), broken };
}

/** Returns what is wrong with the lockfile, in words; nothing when all is well. */
export function checkLockfile(): string {
  const { untrue, broken } = engineFaults(readLockfile());
  return [
    ...untrue.map((name) => `${name}: npm ci would warn of it on Node.js ${MACHINES_NODE}. Run: npm run lock:engines`),
    ...broken.map((name) => `${name} does not run on the Node.js that this project brings along.`),
  ].join("\n");
}

const FILE = path.join(ROOT, "package-lock.json");
const readLockfile = (): Lockfile => JSON.parse(readFileSync(FILE, "utf8"));

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const lockfile = readLockfile();
  for (const name of engineFaults(lockfile).untrue) delete lockfile.packages[name]?.engines;
  writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
}
