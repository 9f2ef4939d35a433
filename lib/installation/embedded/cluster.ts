import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** True when the cluster exists. PG_VERSION is among the last files that initdb is known by. */
export const clusterExists = (cluster: Cluster): boolean =>
  existsSync(path.join(cluster.directory, "PG_VERSION")) && existsSync(cluster.passwordFile);

/** Makes a new cluster; a half-made one of a start that was cut off is removed first. */
export async function createCluster(cluster: Cluster, native: string, options: { durable: boolean }): Promise<void> {
  const { directory, account } = cluster;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o755 });
  mkdirSync(directory, { mode: 0o700 });
  if (account) chownSync(directory, account.uid, account.gid);
  const password = randomBytes(18).toString("base64url");
  const draft = handOver(password, account);
  const durability = options.durable ? [] : ["--no-sync"];
  try {
    await runProgram(
      programPath(native, "initdb"),
      [
        "-D",
        directory,
        "-U",
        ROLE,
        "--auth=scram-sha-256",
        `--pwfile=${draft}`,
        "--encoding=UTF8",
        "--locale=C",
        "--no-instructions",
        ...durability,
      ],
      account,
    );
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(path.dirname(draft), { recursive: true, force: true });
  }
  // Last: without it the cluster counts as half-made.
  writeFileSync(cluster.passwordFile, `${password}\n`, { mode: 0o600 });
}

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
