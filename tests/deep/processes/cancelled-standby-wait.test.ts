import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { migrate } from "#lib/db/migrate";
import { closePools, pool } from "#lib/db/pool";
import { receiveWebhook } from "#lib/flows/ingest/receive-webhook";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { TEST_ENV } from "#tests/support/environment";
import { useSecondCluster } from "#tests/support/second-cluster";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

const server = useSecondCluster({ durable: true });
let url: string;

beforeAll(async () => {
  url = await server.createDatabase();
  await migrate(url);
  resetEnv({ ...TEST_ENV, DATABASE_URL: url });
});

afterAll(async () => {
  await closePools();
});

/** Names the standby that every commit waits for; nobody answers to that name. */
async function nameStandby(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await client.query("SELECT pg_reload_conf()");
  await client.end();
  await expect
    .poll(async () => (await pool("receiver").query("SHOW synchronous_standby_names")).rows[0])
    .toEqual({
      synchronous_standby_names: name,
    });
}

/** Does what an administrator does to a commit that hangs: the server goes on as if it were done, and only warns. */
async function cancelWait(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const cancel =
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'signalbox-receiver'";
  await expect.poll(async () => (await client.query(cancel)).rowCount, { interval: 20 }).toBe(1);
  await client.end();
}

it("answers 503 when the wait for the synchronous standby was cancelled, though the server reports a commit", {
  timeout: 120_000,
}, async () => {
  const { source } = await makeWorkspace();
  const receiver = createReceiver();
  const { body, headers } = signed(envelope({ id: "evt_half" }));
  const send = () => receiveWebhook(receiver, { source, method: "POST", headers, body: Buffer.from(body), remoteAddress: null });

  await nameStandby("nobody");
  const [answer] = await Promise.all([send(), cancelWait()]);
  expect(answer.status).toBe(503);
  expect((await readReadiness(receiver.health)).acknowledgements).toMatchObject({ ok: false, survives: "nothing_new" });
  const { rows } = await pool("receiver").query("SELECT 1 FROM events WHERE event_id = 'evt_half'");
  expect(rows, "the server has committed it on the primary").toHaveLength(1);

  await nameStandby("");
  const again = await send();
  expect([again.status, again.body]).toEqual([200, expect.stringContaining("duplicate")]);
  expect((await readReadiness(receiver.health)).acknowledgements).toMatchObject({ survives: "restart" });
});
