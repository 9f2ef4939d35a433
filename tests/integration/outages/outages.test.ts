import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { pool } from "#lib/db/pool";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { dismissOutages, listOutages } from "#lib/flows/outages/outages";
import { readOverview } from "#lib/flows/overview/read-overview";
import { createSource } from "#lib/flows/sources/manage-sources";
import { addOutages, addRejections } from "#lib/ingest/minute-count-store";
import { deleteOldOutages, deleteOldRuns, noteRun } from "#lib/outages/outage-store";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { FaultyProxy } from "#tests/support/faulty-proxy";
import { noAudit } from "#tests/support/no-audit";
import { nodeReceiver, useReceiver } from "#tests/support/receivers";
import { useSenders } from "#tests/support/sender-source";
import { envelope, signed } from "#tests/support/webhooks";

const database = useDatabase();
const receiver = useReceiver(nodeReceiver());
const { makeSender } = useSenders(receiver);

beforeEach(async () => {
  await pool().query("TRUNCATE receiver_runs");
});

const MINUTE_MS = 60_000;

/** A receiver that reaches the database by a way of its own, on a clock that a test moves. */
async function receiverBehindProxy() {
  const proxy = await FaultyProxy.start(database.url());
  const own = new pg.Pool({ connectionString: proxy.url, max: 2, connectionTimeoutMillis: 1000 });
  own.on("error", () => undefined);
  onTestFinished(async () => {
    await proxy.close();
    await own.end();
  });
  const clock = { moved: 0, now: () => systemClock.now() + clock.moved, elapsed: () => systemClock.elapsed() + clock.moved };
  const made = createReceiver({ pool: own, largePool: own, clock, onSourceChange: () => undefined });
  return { proxy, clock, receiver: made };
}

const read = async (workspaceId: Parameters<typeof listOutages>[0], now = new Date(Date.now() + MINUTE_MS)) =>
  (await listOutages(workspaceId, { limit: 50 }, now)).data;

/** Writes what receivers have counted, and reads it. A write that fails, since its connection took too long, is tried again later. */
async function written(workspaceId: Parameters<typeof read>[0], receivers: ReturnType<typeof createReceiver>[]) {
  for (const each of receivers) await each.outages.flush();
  return (await read(workspaceId)).map(({ unavailable }) => unavailable);
}

/** The workspace of Shopify's source, with sources of two more senders. */
async function makeSources() {
  const shopify = await makeSender("shopify");
  const { owner, workspaceId, name } = shopify;
  const add = async (template: "github" | "stripe") => {
    const secret = "whsec_the-secret-of-another";
    return createSource(contextOf(owner, { audit: noAudit }), { name: `${template}-of-${name}`.slice(0, 63), template, secret });
  };
  return { workspaceId, owner, shopify, github: await add("github"), stripe: await add("stripe") };
}

describe("requests that were answered 503", () => {
  it("while the database is away are counted by source, of every process, and written when it is back", async () => {
    const { workspaceId, shopify, github } = await makeSources();
    const [one, two] = [await receiverBehindProxy(), await receiverBehindProxy()];
    let early = 0; // a machine without time to spare answers 503 before the outage, too
    for (const each of [one, two]) {
      receiver.renew(each.receiver);
      while ((await receiver.send(github.name, { body: "{}" })).status !== 401) early += 1;
      await each.proxy.misbehave("refused");
      each.clock.moved = 6000; // what is in memory is too old by then
      expect((await receiver.send(github.name, { body: "{}" })).status).toBe(503);
      expect((await receiver.send(shopify.name, { body: "{}" })).status).toBe(503);
      expect((await receiver.send("made-up", { body: "{}" })).status).toBe(503);
      await each.receiver.outages.flush();
    }
    expect(await read(workspaceId)).toEqual([]);
    for (const each of [one, two]) await each.proxy.misbehave("none");
    await expect.poll(() => written(workspaceId, [one.receiver, two.receiver])).toEqual([4 + early]);
    const [outage] = await read(workspaceId);
    expect(outage).toMatchObject({ limited: 0, awayMs: 0, dismissed: false });
    const sources = outage?.sources.map(({ sender, unavailable, retryHours }) => [sender, unavailable, retryHours]);
    expect(sources).toEqual([
      ["GitHub", 2 + early, 0],
      ["Shopify", 2, 4],
    ]);
  });

  it("of a source without a secret count too; a 404 and a 401 don't", async () => {
    const { workspaceId, name, sourceId } = await makeSender("stripe");
    const own = createReceiver();
    receiver.renew(own);
    let early = 0; // a machine without time to spare answers 503 first
    while ((await receiver.send(name, { body: "{}" })).status !== 401) early += 1;
    while ((await receiver.send("nobody-has-it", { body: "{}" })).status !== 404);
    await pool().query("DELETE FROM source_secrets WHERE source_id = $1", [sourceId]);
    const fresh = createReceiver();
    receiver.renew(fresh);
    expect((await receiver.send(name, { body: "{}" })).status).toBe(503);
    await expect.poll(() => written(workspaceId, [own, fresh])).toEqual([1 + early]);
  });

  it("tell how many events of that time have come since, where they have a time of their own", async () => {
    const { workspaceId, sourceId, send } = await makeSender("stripe");
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
    await pool().query("INSERT INTO outage_minutes VALUES ($1, $2, $3, 7, 0)", [sourceId, new Date(minute), workspaceId]);
    const body = (id: string, created: number) => JSON.stringify({ id, type: "invoice.paid", created, data: {} });
    for (const [id, created] of [
      ["evt_in_1", minute / 1000 + 1],
      ["evt_in_2", minute / 1000 + 59],
      ["evt_before", minute / 1000 - 1],
      ["evt_after", minute / 1000 + 60],
    ] as const)
      expect((await send(body(id, created))).status).toBe(200);
    const [outage] = await read(workspaceId);
    expect(outage?.sources).toMatchObject([
      { arrivedSince: 2, retryHours: 72, retriesUntil: new Date(minute + MINUTE_MS + 72 * 3_600_000).toISOString() },
    ]);
  });
});

describe("the overview", () => {
  it("says what was not stored in the last 24 hours until somebody has looked after it", async () => {
    const { workspaceId, owner, sourceId, source } = await makeSender("github");
    receiver.renew();
    await receiver.send(source, signed(envelope()));
    const minute = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
    await pool().query("INSERT INTO outage_minutes VALUES ($1, $2, $3, 212, 0)", [sourceId, minute, workspaceId]);
    const sentences = async () => (await readOverview(workspaceId, new Date())).conditions.map(({ sentence }) => sentence);
    expect(await sentences()).toContain("212 requests were answered 503 and not stored in the last 24 hours: webhooks may have been lost.");
    const recorded: string[] = [];
    const audit = { ...noAudit, record: async ({ action }: { action: string }) => void recorded.push(action) };
    const [outage] = await read(workspaceId);
    for (let times = 0; times < 2; times += 1) await dismissOutages(contextOf(owner as Actor, { audit }), new Date(outage?.to ?? 0));
    expect(recorded).toEqual(["outages.dismissed"]);
    expect((await sentences()).filter((sentence) => sentence.includes("503"))).toEqual([]);
    expect(await read(workspaceId)).toMatchObject([{ dismissed: true }]);
  });
});

describe("times in which no receiver ran", () => {
  const run = (id: string, from: number, to: number, now = new Date()) =>
    pool().query(
      "INSERT INTO receiver_runs VALUES ($1, $4::timestamptz - make_interval(secs => $2), $4::timestamptz - make_interval(secs => $3))",
      [id, from, to, now],
    );
  const since = (workspaceId: Parameters<typeof read>[0]) =>
    pool().query("UPDATE sources SET created_at = now() - interval '40 days' WHERE workspace_id = $1", [workspaceId]);

  it("are between the runs of all processes, and concern every source that there was", async () => {
    const { workspaceId, name } = await makeSender("shopify");
    await since(workspaceId);
    await createSource(contextOf((await makeSender("github")).owner, { audit: noAudit }), {
      name: `other-${name}`.slice(0, 63),
      template: "github",
    });
    const now = new Date();
    await run("first", 7000, 3600, now);
    await run("beside it", 5000, 3000, now);
    await run("a restart of 5 s", 2995, 2000, now);
    await run("after ten minutes", 1400, 980, now);
    await noteRun({ id: "now", startedMsAgo: 990_000 });
    const outages = await read(workspaceId);
    expect(outages.map(({ awayMs, unavailable }) => [Math.round(awayMs / 1000), unavailable])).toEqual([[600, 0]]);
    expect(outages[0]?.sources.map(({ sender }) => sender)).toEqual(["Document platform", "Shopify"]);
    const { conditions } = await readOverview(workspaceId, new Date());
    expect(conditions.map(({ sentence }) => sentence)).toContain(
      "Signalbox was down for 10 min in the last 24 hours: webhooks may have been lost.",
    );
  });

  it("concern no workspace whose sources came later", async () => {
    const { workspaceId } = await makeSender("shopify");
    await run("before", 7000, 3600);
    await run("after", 1400, 0);
    expect(await read(workspaceId)).toEqual([]);
  });

  it("are known while they are shown: clean-up keeps the run before, and deletes what is older than 30 days", async () => {
    const { workspaceId, sourceId } = await makeSender("shopify");
    await since(workspaceId);
    const day = 86_400;
    await run("long ago", 50 * day, 45 * day);
    await run("back yesterday", day, 0);
    await deleteOldRuns();
    expect((await read(workspaceId)).map(({ awayMs }) => Math.round(awayMs / day / 1000))).toEqual([44]);
    await run("all the time", 49 * day, 0);
    await deleteOldRuns();
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM receiver_runs ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual(["all the time"]);
    await pool().query(
      "INSERT INTO outage_minutes VALUES ($1, now() - interval '31 days', $2, 1, 0), ($1, now() - interval '29 days', $2, 1, 0)",
      [sourceId, workspaceId],
    );
    expect(await deleteOldOutages()).toBe(1);
  });
});

it("counts that are added again after a lost answer count once", async () => {
  const { sourceId, name } = await makeSender("github");
  const minute = new Date();
  const [batch, another] = [randomUUID(), randomUUID()];
  for (let n = 0; n < 2; n += 1) {
    await addOutages(pool(), [{ source: name, minute, counts: { unavailable: 3, limited: 1 } }], batch);
    await addRejections(pool(), [{ source: sourceId, minute, counts: { rejected: 5, kept: 2 } }], another);
  }
  const { rows } = await pool().query(
    "SELECT unavailable, limited, rejected, kept FROM outage_minutes JOIN rejection_minutes USING (source_id) WHERE source_id = $1",
    [sourceId],
  );
  expect(rows).toEqual([{ unavailable: 3, limited: 1, rejected: 5, kept: 2 }]);
});

describe("the list", () => {
  it("is read page by page", async () => {
    const { workspaceId, sourceId } = await makeSender("github");
    await pool().query(
      `INSERT INTO outage_minutes SELECT $1, date_trunc('minute', now()) - n * interval '10 minutes', $2, n, 0 FROM generate_series(1, 5) AS n`,
      [sourceId, workspaceId],
    );
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listOutages(workspaceId, { limit: 2, cursor }, new Date());
      seen.push(...page.data.map(({ unavailable }) => unavailable));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
