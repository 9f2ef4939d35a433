import { readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { connectionOptions, DatabaseClient } from "#lib/db/client";
import { processStart } from "#lib/installation/process-lock";

export type Postmaster = { pid: number; port: number | null };

const pidFile = (directory: string) => path.join(directory, "postmaster.pid");

/** Finds the running server. `postmaster.pid` outlives a killed one, and its pid may be reused: a stale file is removed. */
export function findPostmaster(directory: string): Postmaster | null {
  const lines = readLines(pidFile(directory));
  const pid = Number(lines[0]);
  if (!pid) return null;
  if (isPostgres(pid)) return { pid, port: Number(lines[3]) || null };
  rmSync(pidFile(directory), { force: true });
  return null;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function isPostgres(pid: number): boolean {
  if (processStart(pid) === null) return false;
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
  } catch {
    return false;
  }
}

/** True if the server answers and works on that very directory. */
export async function answersFor(url: string, directory: string): Promise<boolean> {
  const client = new DatabaseClient(connectionOptions(url, { name: "signalbox-start", statementMs: 2000, connectMs: 2000 }));
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    return path.resolve(rows[0]?.data_directory ?? "") === realpathSync(directory);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the wanted port if it is free on 127.0.0.1, else another. */
export function findFreePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (wanted === 0 ? reject(error) : resolve(findFreePort(0))));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : wanted));
    });
  });
}

/** True while a server runs; removes no stale file. */
export function isServerRunning(directory: string): boolean {
  const pid = Number(readLines(pidFile(directory))[0]);
  return Boolean(pid) && isPostgres(pid);
}
