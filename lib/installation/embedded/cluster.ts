import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Account, canReach, serverAccount } from "./account.ts";
import { programPath, SHARED_FOLDER } from "./binaries.ts";
import { runProgram } from "./run-program.ts";

/** A data directory of PostgreSQL and what belongs to it. */
export type Cluster = { directory: string; account: Account; passwordFile: string };

/** The database role that owns everything. */
export const ROLE = "signalbox";

/**
 * Returns where the cluster of a wanted folder really lies. Root's own folders are
 * often closed to the account that the server runs as (a home of mode 700);
 * then the data goes to a shared place, and a note in the wanted folder's
 * parent says where. The note holds a random name: who deletes DATA_DIR starts
 * afresh and never meets old data sealed with keys that are gone.
 */
export function locateCluster(wanted: string): Cluster {
  const asked = path.resolve(wanted);
  const account = serverAccount(asked);
  mkdirSync(path.dirname(asked), { recursive: true });
  const directory = canReach(account, path.dirname(asked)) ? asked : movedDirectory(asked);
  return { directory, account: serverAccount(directory), passwordFile: `${asked}.password` };
}

function movedDirectory(asked: string): string {
  const note = `${asked}.location`;
  if (!existsSync(note)) writeFileSync(note, path.join(SHARED_FOLDER, `data-${randomBytes(6).toString("hex")}`));
  return readFileSync(note, "utf8").trim();
}

/** True when there is no such file or folder; false also when the system can't say (no files left to open, a disk that fails). */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** State of a cluster's folder and password: nothing is there yet, all is, or the database lost the file with its password. */
export type ClusterState = "none" | "whole" | "password_lost";

/**
 * Tells what there is of a cluster. Whatever else stands in its place is a question for a person: nothing is ever removed because of it.
 *
 * @throws Error in words when the folder or the password can't be read, when the folder holds something else, and when it is gone alone
 */
export function inspectCluster({ directory, passwordFile }: Cluster): ClusterState {
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

/** @returns null where there is no such file or folder @throws Error in words when the system can't say or doesn't let us */
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

/** True when there is a database, with its password or without. @throws Error as `inspectCluster` does */
export const clusterExists = (cluster: Cluster): boolean => inspectCluster(cluster) !== "none";

/** Names of the folders in which clusters are made: these alone are ever removed. */
const draftsOf = (directory: string): string[] => {
  const parent = path.dirname(directory);
  const names = reading(parent, () => readdirSync(parent)) ?? [];
  return names.filter((name) => name.startsWith(`${path.basename(directory)}.new-`)).map((name) => path.join(parent, name));
};

/** Makes a new cluster in a folder of its own, which gets its name when it is whole: a start that is cut off leaves no half-made one. */
export async function createCluster(cluster: Cluster, native: string, options: { durable: boolean }): Promise<void> {
  const { directory, account } = cluster;
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o755 });
  for (const left of draftsOf(directory)) rmSync(left, { recursive: true, force: true });
  const draft = `${directory}.new-${randomBytes(6).toString("hex")}`;
  mkdirSync(draft, { mode: 0o700 });
  if (account) chownSync(draft, account.uid, account.gid);
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
}

/** Gives the role of a cluster that no server runs on a new password: the file with the present one is gone. */
export async function renewPassword(cluster: Cluster, native: string): Promise<void> {
  const password = newPassword();
  // A server of one user needs no password, and reads what it does from its standard input: no other process sees it.
  const single = ["--single", "-D", cluster.directory, "postgres"];
  await runProgram(programPath(native, "postgres"), single, cluster.account, `ALTER ROLE ${ROLE} PASSWORD '${password}'\n`);
  writeFileSync(cluster.passwordFile, `${password}\n`, { mode: 0o600 });
}

const newPassword = (): string => randomBytes(18).toString("base64url");

/** Writes the password where initdb may read it, and nobody else. */
function handOver(password: string, account: Account): string {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-"));
  const file = path.join(folder, "password");
  writeFileSync(file, password, { mode: 0o600 });
  if (account) for (const owned of [folder, file]) chownSync(owned, account.uid, account.gid);
  return file;
}

/** The password of the cluster's role. */
export const clusterPassword = (cluster: Cluster): string => readFileSync(cluster.passwordFile, "utf8").trim();
