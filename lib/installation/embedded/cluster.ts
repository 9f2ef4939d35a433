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

export type Cluster = Place & { account: Account };

/** Database role that owns everything. */
export const ROLE = "signalbox";

/** `password_lost`: the file with the database's password is gone. */
export type ClusterState = "none" | "whole" | "password_lost";

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
