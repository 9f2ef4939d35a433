#!/usr/bin/env node
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// `signalbox` of the packed product (`npm pack`): starts it, runs its own programs, and is the command line for all else.
// Plain JavaScript that Node 20 takes: the product itself runs on Node 24, which comes with the packages.

const OLDEST = 24;

/** Only the package holds it. */
const COMMAND_LINE = "../packages/cli/dist/signalbox.js";

/** The programs of the installation: file below lib/processes, arguments before those that are given. */
const PROGRAMS = {
  start: ["start"],
  web: ["start", "--only", "web"],
  worker: ["start", "--only", "worker"],
  all: ["start", "--only", "all"],
  migrate: ["start", "--only", "migrate"],
  doctor: ["doctor"],
  backup: ["backups/backup"],
  restore: ["backups/restore"],
  "views:rebuild": ["views-rebuild"],
  "vault:rotate": ["vault-rotate"],
  "password:reset": ["password-reset"],
};

const HELP = `
On the machine of the installation:
  start                       web and worker, with a built-in database unless DATABASE_URL is set; so does no command at all
  web, worker, all            one of the two, or both, on DATABASE_URL
  migrate                     prepares the database and ends
  doctor                      checks what a start needs
  backup FILE                 writes a backup of the database; s3:// instead of a file: sealed, to the store of BACKUP_S3_URL
  backup --identity FILE      writes the identity with which age opens backups in the store
  restore FILE                restores one into an empty database, also s3://bucket/prefix/NAME (--check: only reads it)
  restore --list              lists the backups in the store
  views:rebuild, vault:rotate, password:reset EMAIL
Data are kept in DATA_DIR (.data in the current folder).
`;

const [name = "start", ...given] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;

if (program) {
  beThePackage();
  const [file, ...args] = program;
  await run(fileURLToPath(new URL(`../lib/processes/${file}.js`, import.meta.url)), [...args, ...given]);
} else {
  if (name === "--help" || name === "-h" || (name === "help" && given.length === 0)) process.on("exit", () => process.stdout.write(HELP));
  await import(COMMAND_LINE);
}

/** Relative folders are meant from where the command was called, not from where npm keeps the package. Messages name this command. */
function beThePackage() {
  process.env.SIGNALBOX_COMMAND = "signalbox";
  process.env.DATA_DIR = path.resolve(process.env.DATA_DIR || ".data");
  if (process.env.BACKUP_DIR) process.env.BACKUP_DIR = path.resolve(process.env.BACKUP_DIR);
}

async function run(script, args) {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
    process.argv.splice(1, process.argv.length, script, ...args);
    await import(pathToFileURL(script).href);
    return;
  }
  const node = path.join(path.dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");
  if (!existsSync(node)) {
    process.stderr.write(
      `This is Node ${process.versions.node}; Signalbox runs on Node ${OLDEST}, and npm did not install it. Install Node ${OLDEST}, or let npm run the install script of the package "node".\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [script, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  endWithParent(child);
  child.on("exit", (code) => process.exit(code ?? 1));
}

/** npx's shell dies of a signal without passing it on. */
function endWithParent(child) {
  if (process.env.npm_lifecycle_event !== "npx") return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 1000).unref();
}
