import { chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import { accountFor } from "#lib/installation/embedded/account";
import { findFreePort } from "#lib/installation/embedded/postmaster";
import { runProgram } from "#lib/installation/embedded/programs";

/**
 * Starts the PostgreSQL of a folder of programs (`/usr/lib/postgresql/15/bin`) on a new cluster with its default settings,
 * but for those that are given: what a provider hands out, unlike the one that comes with Signalbox.
 */
export async function startPlainPostgres(
  programs: string,
  directory: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const account = accountFor(directory, { isNew: true });
  mkdirSync(directory, { mode: 0o700 });
  if (account && !account.inNamespace) chownSync(directory, account.uid, account.gid);
  const run = (program: string, args: string[]) => runProgram(path.join(programs, program), args, account);
  await run("initdb", ["-D", directory, "-U", "postgres", "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8"]);
  const port = await findFreePort(54_400);
  const flags = Object.entries({ listen_addresses: "127.0.0.1", unix_socket_directories: "", port, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
  await run("pg_ctl", ["start", "-w", "-D", directory, "-l", path.join(directory, "server.log"), "-o", flags]);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: () => run("pg_ctl", ["stop", "-D", directory, "-m", "fast", "-w"]),
  };
}
