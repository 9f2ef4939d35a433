import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
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
import { type Account, closedTo, OTHERS_MAY_ENTER } from "./account.ts";
import { programPath } from "./binaries.ts";
import { type Place, reading } from "./place.ts";
import { runProgram } from "./run-program.ts";

/** A data directory of PostgreSQL and what belongs to it. */
export type Cluster = Place & { account: Account };

/** The database role that owns everything. */
export const ROLE = "signalbox";

/** State of a cluster's folder and password: nothing is there yet, all is, or the database lost the file with its password. */
export type ClusterState = "none" | "whole" | "password_lost";

/**
 * Tells what there is of a cluster. Whatever else stands in its place is a question for a person: nothing is ever removed because of it.
 *
 * @throws Error in words when the folder or the password can't be read, when the folder holds something else, and when it is gone alone
 */
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

/** True when there is a database, with its password or without. @throws Error as `inspectCluster` does */
export const clusterExists = (place: Place): boolean => inspectCluster(place) !== "none";

/** Names of the folders in which clusters are made: these alone are ever removed. */
const draftsOf = (directory: string): string[] => {
  const parent = path.dirname(directory);
  const names = reading(parent, () => readdirSync(parent)) ?? [];
  return names.filter((name) => name.startsWith(`${path.basename(directory)}.new-`)).map((name) => path.join(parent, name));
};

/**
 * Makes a new cluster in a folder of its own, which gets its name when it is whole: a start that is cut off leaves no half-made one.
 *
 * @returns the folders above that the account was let into
 */
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

/**
 * Lets an account pass the folders above its new data: the one change of rights that a start makes, and once. What is closed
 * later is a person's wish.
 */
function letPass(account: Account, directory: string): string[] {
  const closed = closedTo(account, path.dirname(directory));
  if (closed.length === 0) return [];
  for (const folder of closed) chmodSync(folder, statSync(folder).mode | OTHERS_MAY_ENTER);
  const command = closed.map((folder) => `chmod o-x '${folder}'`).join(" && ");
  const words = `Signalbox was started by root, and PostgreSQL does not run as root. So that it reaches its data, other accounts may pass (not list) these\nfolders since the database was made:\n\n${closed.join("\n")}\n\nTo take it back, set DATABASE_URL or start Signalbox as another account, then: ${command}\n`;
  writeFileSync(`${directory}.opened`, words);
  return closed;
}

/** In a namespace the account's files are root's already. */
function own(files: string[], account: Account): void {
  if (account && !account.inNamespace) for (const file of files) chownSync(file, account.uid, account.gid);
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
  own([folder, file], account);
  return file;
}

/** The password of the cluster's role. */
export const clusterPassword = (cluster: Cluster): string => readFileSync(cluster.passwordFile, "utf8").trim();
