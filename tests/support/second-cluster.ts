import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/installation/embedded-postgres";
import { makeOpenFolder } from "./open-folder.ts";

/**
 * Another server than the one of `useDatabase`, new and empty: its transaction ids start low.
 *
 * @param durable true where a test asks what the server guarantees
 *
 * @returns a function that makes an empty database there and answers its address
 */
export function useSecondCluster({ durable = false } = {}): { createDatabase: () => Promise<string> } {
  const folder = makeOpenFolder("signalbox-second-");
  let cluster: EmbeddedPostgres;
  let made = 0;
  beforeAll(async () => {
    cluster = await startEmbeddedPostgres({ directory: path.join(folder, "postgres"), port: 0, durable });
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    createDatabase: async () => {
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      made += 1;
      await client.query(`CREATE DATABASE restored_${made}`);
      await client.end();
      const url = new URL(cluster.url);
      url.pathname = `/restored_${made}`;
      return url.href;
    },
  };
}
