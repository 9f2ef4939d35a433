import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Account, closedTo, OTHERS_MAY_ENTER } from "./account.ts";
import { programPath, runProgram } from "./programs.ts";

export type Cluster = Place & { account: Account };

/** Database role that owns everything. */
export const ROLE = "signalbox";

/** `password_lost`: the file with the database's password is gone. */
type ClusterState = "none" | "whole" | "password_lost";

/** Tells what exists. Anything unexpected is for a person to decide: nothing is ever removed. @throws Error in words */
export function inspectCluster({ directory, passwordFile }: Place): ClusterState {
  const files = reading(directory, () => readdirSync(directory)) ?? [];
  const password = reading(passwordFile, () => readFileSync(passwordFile, "utf8").trim());
  if (files.includes("PG_VERSION")) return password ? "whole" : "password_lost";
  if (files.length > 0)
    throw new Error(
      `${directory} holds files, but no database of PostgreSQL: PG_VERSION is missing. Nothing was changed. Bring the whole folder back from its copy, or move it away to begin with an empty database.`,
    );
  if (password)
    throw new Error(
      `${directory} is missing or empty, although its password is in ${passwordFile}. Nothing was changed. Bring the folder back from its copy (is its volume mounted?), or remove the password file to begin with an empty database.`,
    );
  return "none";
}

/** @throws Error as `inspectCluster` does */
export const clusterExists = (place: Place): boolean => inspectCluster(place) !== "none";

/** Returns the folders in which clusters are made: these alone are ever removed. */
const draftsOf = (directory: string): string[] => {
  const parent = path.dirname(directory);
  const names = reading(parent, () => readdirSync(parent)) ?? [];
  return names.filter((name) => name.startsWith(`${path.basename(directory)}.new-`)).map((name) => path.join(parent, name));
};

/** Makes a cluster under a draft name, so that a cut-off start leaves no half-made one. @returns the folders opened to the account */
export async function createCluster(cluster: Cluster, native: string, options: { durable: boolean }): Promise<string[]> {
  const { directory, account } = cluster;
  for (const left of draftsOf(directory)) rmSync(left, { recursive: true, force: true });
  const draft = `${directory}.new-${randomBytes(6).toString("hex")}`;
  mkdirSync(draft, { mode: 0o700 });
  own([draft], account);
  const opened = account && !account.inNamespace ? letPass(account, directory) : [];
  const password = newPassword();
  const handed = handOver(password, account);
  const settings = ["--auth=scram-sha-256", `--pwfile=${handed}`, "--encoding=UTF8", "--locale=C", "--no-instructions"];
  const durability = options.durable ? [] : ["--no-sync"];
  try {
    await runProgram(programPath(native, "initdb"), ["-D", draft, "-U", ROLE, ...settings, ...durability], account);
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(path.dirname(handed), { recursive: true, force: true });
  }
  writeFileSync(cluster.passwordFile, `${password}\n`, { mode: 0o600 });
  return opened;
}

/** Opens the folders above new data to the account: the one change of modes, made once. Closing them later is a person's wish. */
function letPass(account: Account, directory: string): string[] {
  const closed = closedTo(account, path.dirname(directory));
  if (closed.length === 0) return [];
  for (const folder of closed) chmodSync(folder, statSync(folder).mode | OTHERS_MAY_ENTER);
  const command = closed.map((folder) => `chmod o-x '${folder}'`).join(" && ");
  const words = `Signalbox was started by root, and PostgreSQL does not run as root. So that it reaches its data, other accounts may pass (not list) these\nfolders since the database was made:\n\n${closed.join("\n")}\n\nTo take it back, set DATABASE_URL or start Signalbox as another account, then: ${command}\n`;
  writeFileSync(`${directory}.opened`, words);
  return closed;
}

/** Does nothing in a namespace, where the files are root's already. */
function own(files: string[], account: Account): void {
  if (account && !account.inNamespace) for (const file of files) chownSync(file, account.uid, account.gid);
}

/** Renews a lost password; no server may run on the cluster. */
export async function renewPassword(cluster: Cluster, native: string): Promise<void> {
  const password = newPassword();
  // Single-user mode needs no password, and reads its standard input, which no other process sees.
  const single = ["--single", "-D", cluster.directory, "postgres"];
  await runProgram(programPath(native, "postgres"), single, cluster.account, `ALTER ROLE ${ROLE} PASSWORD '${password}'\n`);
  writeFileSync(cluster.passwordFile, `${password}\n`, { mode: 0o600 });
}

const newPassword = (): string => randomBytes(18).toString("base64url");

/** Writes the password where only initdb may read it. */
function handOver(password: string, account: Account): string {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-"));
  const file = path.join(folder, "password");
  writeFileSync(file, password, { mode: 0o600 });
  own([folder, file], account);
  return file;
}

export const clusterPassword = (cluster: Cluster): string => readFileSync(cluster.passwordFile, "utf8").trim();

export type Place = {
  directory: string;
  passwordFile: string;
  /** Requested folder in DATA_DIR, where an earlier version put the cluster elsewhere. */
  movedFrom: string | null;
};

/** Locates a cluster. An earlier version's note of another place is followed only if it is no copy's, which would write to the original. */
export function locateCluster(wanted: string): Place {
  const asked = path.resolve(wanted);
  const inside: Place = { directory: asked, passwordFile: `${asked}.password`, movedFrom: null };
  const noted = readNote(asked);
  if (noted === null) return inside;
  const isHere = isCluster(asked);
  const isThere = isCluster(noted);
  if (isHere && isThere) throw new Error(twoDatabases(asked, noted));
  if (isHere) return inside; // it was moved in, and the note was left
  if (!isThere)
    throw new Error(
      `${noteOf(asked)} says that the database lies in ${noted}, and there is none. Nothing was changed. Bring it back from its copy (is its volume mounted?), or remove the note to begin with an empty database.`,
    );
  assertOurs(asked, noted);
  return { ...inside, directory: noted, movedFrom: asked };
}

/** Records the DATA_DIR of a moved cluster, which tells a copy of DATA_DIR from the original. */
export function recordOwner({ directory, movedFrom }: Place): void {
  if (movedFrom === null) return;
  const record: Owner = { home: movedFrom, systemIdentifier: systemIdentifier(directory) };
  if (JSON.stringify(readOwner(directory)) !== JSON.stringify(record))
    writeFileSync(ownerFile(directory), JSON.stringify(record), { mode: 0o600 });
}

/** Returns the command that moves a cluster into DATA_DIR while Signalbox is stopped. */
export function moveInCommand(place: Place): string | null {
  const { directory, movedFrom } = place;
  if (movedFrom === null) return null;
  return `mv '${directory}' '${movedFrom}' && rm -f '${noteOf(movedFrom)}' '${ownerFile(directory)}' && chown -R 0:0 '${movedFrom}'`;
}

type Owner = { home: string; systemIdentifier: string };

const noteOf = (asked: string) => `${asked}.location`;
const ownerFile = (directory: string) => `${directory}.owner`;

const readNote = (asked: string): string | null => reading(noteOf(asked), () => readFileSync(noteOf(asked), "utf8").trim() || null);

const readOwner = (directory: string): Owner | null =>
  reading(ownerFile(directory), () => JSON.parse(readFileSync(ownerFile(directory), "utf8")) as Owner);

const isCluster = (directory: string): boolean => (reading(directory, () => readdirSync(directory)) ?? []).includes("PG_VERSION");

/** Reads the number from initdb that only copies share: the first eight bytes of pg_control. */
function systemIdentifier(directory: string): string {
  const control = path.join(directory, "global/pg_control");
  return (
    reading(control, () => {
      const bytes = Buffer.alloc(8);
      const file = openSync(control, "r");
      try {
        readSync(file, bytes, 0, 8, 0);
      } finally {
        closeSync(file);
      }
      return bytes.readBigUInt64LE().toString();
    }) ?? "none"
  );
}

function assertOurs(asked: string, noted: string): void {
  const owner = readOwner(noted);
  if (owner === null) return; // first start since records are made
  if (owner.systemIdentifier !== systemIdentifier(noted))
    throw new Error(
      `${noteOf(asked)} says that the database lies in ${noted}, and another one is there now (system identifier ${systemIdentifier(noted)}, it was ${owner.systemIdentifier}). Nothing was changed. Bring the former back from its copy; if the present one is right, remove ${ownerFile(noted)}.`,
    );
  // If the other folder is gone, DATA_DIR was renamed.
  if (owner.home !== asked && readNote(owner.home) === noted)
    throw new Error(
      `${path.dirname(asked)} is a copy of ${path.dirname(owner.home)}, whose database lies in ${noted}. Nothing was changed. To run the copy on data of its own, copy the database while the original is stopped: cp -a '${noted}' '${asked}' && rm '${noteOf(asked)}'. If the original is never used again, remove ${noteOf(owner.home)}.`,
    );
}

function twoDatabases(asked: string, noted: string): string {
  const same = systemIdentifier(asked) === systemIdentifier(noted);
  return `There are two databases${same ? ", one a copy of the other" : ""}: ${asked}, and ${noted}, which ${noteOf(asked)} names. Nothing was changed. To use the first, remove the note; to use the second, move the first away. If its password is wrong then, remove ${asked}.password: it is made anew.`;
}

/** True only if it is surely missing: false when the system can't say (no file handles, a failing disk). */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Returns null for a missing file. @throws Error in words if it can't be read */
function reading<T>(file: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code !== "EACCES" && code !== "EPERM") throw new Error(`${file} can't be read: ${message}`, { cause: error });
    throw new Error(
      `${file} can't be read by this account (${code}). Nothing was changed. Start Signalbox as the account that owns it, or give this one the right to read it.`,
      { cause: error },
    );
  }
}
