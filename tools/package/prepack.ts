import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DOCUMENTATION } from "#lib/flows/installation/served-files";
import { ensureBuild } from "#lib/installation/build";
import { ROOT } from "../run-command.ts";
import { copyBuild } from "./copy-build.ts";
import { copyPackages, OF_THE_MACHINE } from "./copy-packages.ts";
import { KEPT, MANIFEST } from "./manifest.ts";
import { writeServerModules } from "./server-modules.ts";

// `npm pack`, its first half: lays the product below dist/ as it runs without its sources (server, production build,
// command line, migrations, documentation, and the packages that it loads), and puts a package.json in place that asks
// for what each machine needs another part of. The second half (postpack.ts) puts the own one back.

type Manifest = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  [field: string]: unknown;
};

const DIST = path.join(ROOT, "dist");
const COMMAND_LINE = "packages/cli";
/** Needed without an import: the framework's own, and what is found by name. */
const ALWAYS = ["next", "react", "react-dom", "pino-pretty"];

const read = (file: string): Manifest => JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as Manifest;

if (existsSync(KEPT)) renameSync(KEPT, MANIFEST); // an earlier one was interrupted
await ensureBuild();
rmSync(DIST, { recursive: true, force: true });
const own = read("package.json");
copyFiles();
const imported = [...ALWAYS, ...(await writeServerModules(DIST)), ...copyBuild(DIST)];
const undeclared = imported.filter((each) => own.dependencies[each] === undefined);
if (undeclared.length > 0) throw new Error(`No dependency of package.json: ${undeclared.join(", ")}, which the server imports.`);
await copyPackages(DIST, imported);

const dependencies = Object.fromEntries(OF_THE_MACHINE.map((each) => [each, own.dependencies[each]]));
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

function copyFiles(): void {
  for (const folder of ["public", "prisma/migrations", "bin"])
    cpSync(path.join(ROOT, folder), path.join(DIST, folder), { recursive: true });
  mkdirSync(path.join(DIST, "docs"));
  for (const { name } of DOCUMENTATION) copyFileSync(path.join(ROOT, `docs/${name}.md`), path.join(DIST, `docs/${name}.md`));
  const from = path.join(ROOT, COMMAND_LINE);
  mkdirSync(path.join(DIST, COMMAND_LINE, "dist"), { recursive: true });
  copyFileSync(path.join(from, "package.json"), path.join(DIST, COMMAND_LINE, "package.json"));
  for (const file of readdirSync(path.join(from, "dist")))
    copyFileSync(path.join(from, "dist", file), path.join(DIST, COMMAND_LINE, "dist", file));
}
