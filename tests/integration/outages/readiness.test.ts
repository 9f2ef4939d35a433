import { afterAll, beforeAll, expect, it } from "vitest";
import { resetEnv } from "#lib/config/env";
import { closeListening } from "#lib/db/notifications";
import { closePools } from "#lib/db/pool";
import { readReadiness } from "#lib/flows/installation/read-readiness";
import { CommitHealth } from "#lib/ingest/receiver-log";
import { systemClock } from "#lib/time/clock";
import { useDatabase } from "#tests/support/database";
import { TEST_ENV } from "#tests/support/environment";
import { FaultyProxy } from "#tests/support/faulty-proxy";

const database = useDatabase();
let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await FaultyProxy.start(database.url());
  await closeListening();
  await closePools();
  resetEnv({ ...TEST_ENV, DATABASE_URL: proxy.url });
});
afterAll(async () => {
  await closePools();
  await proxy.close();
});

it("a receiver whose database is away can't store, though no webhook has failed yet", async () => {
  const untried = new CommitHealth(systemClock);
  expect(await readReadiness(untried)).toMatchObject({ database: { ok: true }, receiver: { ok: true, detail: "stores incoming events" } });
  await proxy.misbehave("refused");
  expect(await readReadiness(untried)).toMatchObject({
    status: "not_ready",
    database: { ok: false, detail: "does not respond" },
    receiver: { ok: false, detail: "can't store: the database does not respond" },
  });
});
