import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#lib/installation/embedded/postmaster";
import { SECRET } from "#tests/support/webhooks";
import type { StartSubject } from "../cost/measure.ts";
import { holds } from "../cost/subjects.ts";

/** A package to be made: its dependencies, and its files by their paths. */
export type Peer = { name: string; dependencies: Record<string, string>; files: Record<string, string> };

/** Installs a peer into a folder of its own from the npm registry, once for all rounds. @returns the folder */
export function install(parent: string, { name, dependencies, files }: Peer): string {
  const folder = path.join(parent, name);
  const all = { "package.json": JSON.stringify({ name, private: true, type: "module", dependencies }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  run(folder, "npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
  return folder;
}

/** Runs a command in a folder to its end. */
export function run(folder: string, command: string, args: string[], env: Record<string, string> = {}): void {
  execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, ...env } });
}

/** How a peer is started: arguments of Node, its table and the statement that makes it. */
type PeerServer = { folder: string; args: (port: number) => string[]; table: string; create: string };

/** Starts a peer that listens at `/webhooks`, and waits until it does. */
export const startPeer =
  ({ folder, args, table, create }: PeerServer): StartSubject =>
  async (server) => {
    await server.query(create);
    const port = await findFreePort(0);
    const env = { ...process.env, NODE_ENV: "production" as const, DATABASE_URL: server.url, SECRET };
    const child = spawn(process.execPath, args(port), { cwd: folder, stdio: "ignore", env });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    for (let tries = 0; !(await listens(port)); tries += 1) {
      if (tries > 240 || child.exitCode !== null) throw new Error(`the server in ${folder} does not listen`);
      await sleep(250);
    }
    return {
      target: { port, path: "/webhooks" },
      web: child.pid ?? 0,
      worker: null,
      isThrough: (total) => holds(server, table, total),
      stop: async () => {
        child.kill();
        await ended;
      },
    };
  };

const listens = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
