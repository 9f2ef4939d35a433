import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import pg from "pg";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { SECRET } from "#tests/support/webhooks";

/** Workspace and source that receive the events of a bench. */
export type Place = { workspaceId: WorkspaceId; sourceId: SourceId };

/** Result of a load: durable events a second, latencies in milliseconds, answers by status. */
export type Result = { perSecond: number; p50: number; p99: number; answers: Record<string, number> };

/** The servers side by side; tests/bench/server.ts tells what each is. */
export type ServerKind = "limit" | "native" | "traced" | "route" | "naive";

export type BenchServer = { kind: ServerKind; port: number; stop: () => void };

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs statements on a connection of their own, where they take as long as they take. */
export async function runUnhurried(databaseUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** The value that `share` of the values lie below. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Starts one in a process of its own. */
export async function startServer(kind: ServerKind, place: Place, databaseUrl: string): Promise<BenchServer> {
  if (kind === "limit") return { kind, ...(await startBareServer(databaseUrl)) };
  const child = fork(path.join(import.meta.dirname, "server.ts"));
  child.send({ kind, secret: SECRET, ...place });
  const { port } = await message<{ port: number }>(child);
  return { kind, port, stop: () => child.disconnect() };
}

/** The bare server on a database of its own choice, which need not be ours. */
export async function startBareServer(databaseUrl: string): Promise<{ port: number; pid: number; stop: () => void }> {
  const child = fork(path.join(import.meta.dirname, "bare-server.ts"));
  child.send({ databaseUrl, secret: SECRET });
  const { port } = await message<{ port: number }>(child);
  return { port, pid: child.pid ?? 0, stop: () => child.disconnect() };
}

type Load = {
  port: number;
  connections: number;
  seconds?: number;
  events?: number;
  documents?: number;
  newInTen?: number;
  ofRun?: boolean;
  run: string;
  perSecond?: number;
  bytes?: number;
  path?: string;
  secret?: string;
};

/** Sends webhooks from a process of its own: as fast as answers come, or at a steady rate. */
export async function load({ bytes = 1024, path: address = "/webhooks/bench", secret = SECRET, ...order }: Load): Promise<Result> {
  const child = fork(path.join(import.meta.dirname, "load.ts"));
  child.send({ ...order, bytes, path: address, secret });
  return message<Result>(child);
}

/** Empties the log and what hangs on it, between two rounds. */
export async function emptyLog(): Promise<void> {
  await pool().query(
    "TRUNCATE events, event_keys, event_refs, inbox, inbox_claims, log_ranges, attempts, views, event_search, event_hours",
  );
  await pool().query("DO $$ BEGIN IF to_regclass('bare_events') IS NOT NULL THEN TRUNCATE bare_events; END IF; END $$");
}

/** Runs `work` so many times, one after the other. @returns the milliseconds of each */
export async function timings(times: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const started = performance.now();
    await work(run);
    took.push(performance.now() - started);
  }
  return took;
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (value) => resolve(value as T));
    child.once("exit", (code) => reject(new Error(`a process of the bench ended with ${code}`)));
  });
}

/** Returns the time that work takes, in seconds with one decimal, as it is printed. */
export async function seconds(work: () => Promise<unknown>): Promise<string> {
  const began = performance.now();
  await work();
  return ((performance.now() - began) / 1000).toFixed(1);
}
