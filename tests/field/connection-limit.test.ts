import { execFileSync } from "node:child_process";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { forget } from "#lib/context/once";
import { findNarrowLimit } from "#lib/db/database-server";
import { closePools, pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { markAlive } from "#lib/processing/heartbeat-store";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { temporaryFolder } from "#tests/support/temporary-folder";

// ALTER ROLE … CONNECTION LIMIT 8, tried here: webhooks got 200, nothing was applied, and readiness said that all works.

const database = useDatabase();

afterEach(async () => {
  await closePools();
  resetEnv({ DATABASE_URL: database.url() });
  await pool().query("DROP OWNED BY limited; DROP ROLE limited");
});

async function becomeLimited(limit: number): Promise<string> {
  await pool().query(`CREATE ROLE limited LOGIN PASSWORD 'limited' CONNECTION LIMIT ${limit};
    GRANT ALL ON ALL TABLES IN SCHEMA public TO limited; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO limited`);
  const url = new URL(database.url());
  Object.assign(url, { username: "limited", password: "limited" });
  await closePools();
  resetEnv({ DATABASE_URL: url.href });
  return url.href;
}

it("a role with too few connections is not ready, and the limit is named: by who is refused, and by the worker to others", async () => {
  const url = await becomeLimited(3);
  await markAlive();
  expect(await readReadiness(createReceiver().health)).toMatchObject({ database: { ok: true }, worker: { ok: true } });
  const held = [new pg.Client(url), new pg.Client(url)];
  for (const client of held) await client.connect().catch(() => undefined);
  await expect(Promise.all([pool("claims").query("SELECT 1"), pool("queue").query("SELECT 1")])).rejects.toMatchObject({ code: "53300" });
  const cause = /too many connections for role "limited"\): allow 21 for each web process and 25 for each worker/;
  expect(await readReadiness(createReceiver().health)).toMatchObject({
    status: "not_ready",
    database: { ok: false, detail: expect.stringMatching(cause) },
  });
  await markAlive();
  forget("database-outage"); // as a web process that was refused nothing
  expect(await readReadiness(createReceiver().health)).toMatchObject({
    status: "not_ready",
    database: { ok: true },
    worker: { ok: false, detail: expect.stringMatching(cause) },
  });
  for (const client of held) await client.end().catch(() => undefined);
  forget("database-outage"); // a minute later
  await markAlive();
  expect((await readReadiness(createReceiver().health)).worker).toMatchObject({ ok: true, detail: "works" });
});

it("a start names a limit of 20 connections before anything is refused", async () => {
  const url = await becomeLimited(20);
  resetEnv({ DATABASE_URL: database.url() });
  await pool().query(`GRANT ${new URL(database.url()).username} TO limited`);
  const { PATH = "" } = process.env;
  const env = { ...TEST_ENV, PATH, NODE_ENV: "production" as const, DATABASE_URL: url, DATA_DIR: temporaryFolder(), SANDBOX: "off" };
  const out = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "lib/processes/start.ts", "--only=migrate"], {
    encoding: "utf8",
    env,
  });
  const warnings = out.split("\n").filter((line) => line.includes('"level":40'));
  expect(warnings).toEqual([
    expect.stringContaining("Too few connections: the role allows 20; a web process takes up to 21, a worker 25."),
  ]);
});

it("doctor's look names a limit below what one web process and one worker take", async () => {
  expect(await findNarrowLimit(await becomeLimited(8))).toMatch(/^Too few connections: the role allows 8; a web process takes up to 21/);
  expect(await findNarrowLimit(database.url())).toBeNull();
});
