import { describe, expect, it } from "vitest";
import { changeSettings } from "#lib/auth/members/workspace-store";
import { sourceId as toSourceId } from "#lib/contracts/api/ids";
import type { Retention } from "#lib/contracts/events/retention";
import { goneBefore } from "#lib/contracts/events/retention-month";
import { inTransaction, pool } from "#lib/db/pool";
import { dropPartition, listExpiredEvents } from "#lib/events/retention-store";
import { applyRetention } from "#lib/flows/events/retention";
import { changeFieldMapping } from "#lib/flows/sources/field-mapping";
import { changeSource, createSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";
import { readView } from "#lib/flows/views/read-views";
import { makeAccount, type TestAccount } from "#tests/support/account";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { until } from "#tests/support/forwarding/senders";
import { append, drainInbox, makeApplied } from "#tests/support/log-writer";
import { countBlocked } from "#tests/support/other-session";
import { callRoute } from "#tests/support/routes";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { actorOf, eventIdsOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

type Made = Pick<Awaited<ReturnType<typeof makeWorkspace>>, "workspaceId" | "sourceId">;

/** Stores an event as if it had come some days ago. */
async function receive({ workspaceId, sourceId }: Made, eventId: string, days: number): Promise<void> {
  const receivedAt = new Date(Date.now() - days * 86_400_000);
  const created = Math.floor(receivedAt.getTime() / 1000);
  const data = { documentId: `doc_${eventId}`, fileName: `${eventId}.pdf` };
  await append(workspaceId, sourceId, [{ eventId, type: "document.uploaded", created, data }], receivedAt);
}

const keepFor = ({ workspaceId, sourceId }: Made, retentionDays: number | null) =>
  changeSource(unaudited(ownerOf(workspaceId)), sourceId, { retentionDays });

/** A workspace that keeps events for a year, with two sources of old and new events. */
async function makeTwo(): Promise<[Made, Made]> {
  await pool().query("SELECT ensure_event_partitions((current_date - 110)::date, 4)");
  const short = await makeWorkspace();
  const { workspaceId } = short;
  const added = await createSource(unaudited(ownerOf(workspaceId)), { name: `${short.source}-long`, template: "platform" });
  const long = { workspaceId, sourceId: toSourceId.parse(added.id) };
  await pool().query("UPDATE workspaces SET retention_days = 365 WHERE id = $1", [short.workspaceId]);
  for (const [made, name] of [
    [short, "short"],
    [long, "long"],
  ] as const)
    for (const days of [100, 80, 2]) await receive(made, `${name}_${days}`, days);
  await drainInbox();
  return [short, long];
}

describe("the retention of a source", () => {
  it("deletes what is older than the source's days and keeps its records, another source's events and what is young", async () => {
    const [short, long] = await makeTwo();
    await applyRetention();
    expect(await eventIdsOf(short.workspaceId)).toHaveLength(6);
    expect((await keepFor(short, 30)).retentionDays).toBe(30);
    await applyRetention(1);
    expect(await eventIdsOf(short.workspaceId)).toEqual(["short_2", "long_100", "long_80", "long_2"]);
    expect(await readView(short.workspaceId, "document", "doc_short_100", null)).toMatchObject({ state: expect.anything() });
    const { rows } = await pool().query<{ after: { events: number } }>(
      "SELECT after FROM audit_entries WHERE workspace_id = $1 AND action = 'retention.applied'",
      [long.workspaceId],
    );
    expect(rows.map(({ after }) => after.events)).toEqual([2]);
  });

  it("looks only once at the events of others that stand before its own", async () => {
    const [short] = await makeTwo();
    await keepFor(short, 30);
    const goneBefore = async () =>
      (await pool().query<{ at: Date | null }>("SELECT gone_before AS at FROM sources WHERE id = $1", [short.sourceId])).rows[0]?.at;
    // What is not applied is held back: the round that deletes it comes later.
    await receive(short, "short_late", 90);
    await applyRetention();
    expect(await eventIdsOf(short.workspaceId)).toContain("short_late");
    expect(await goneBefore()).toBeNull();
    await drainInbox();
    await applyRetention();
    expect(await eventIdsOf(short.workspaceId)).not.toContain("short_late");
    expect(await goneBefore()).toBeInstanceOf(Date);
  });

  it("never lengthens the workspace's, and ends when it is removed", async () => {
    const [short] = await makeTwo();
    await keepFor(short, 3650);
    await pool().query("UPDATE workspaces SET retention_days = 30 WHERE id = $1", [short.workspaceId]);
    await applyRetention();
    expect(await eventIdsOf(short.workspaceId)).toEqual(["short_2", "long_2"]);
    await keepFor(short, null);
    expect(await readSource(short.workspaceId, short.sourceId)).toMatchObject({ retentionDays: null });
  });

  it("lets the database reject a deletion that it does not allow", async () => {
    const [short] = await makeTwo();
    await keepFor(short, 30);
    const remove = (eventId: string) => pool().query("DELETE FROM events WHERE event_id = $1", [eventId]);
    await expect(remove("long_80")).rejects.toMatchObject({ code: "55000" });
    await expect(remove("short_2")).rejects.toMatchObject({ code: "55000" });
    expect((await remove("short_80")).rowCount).toBe(1);
  });

  it("is set by whoever may set the workspace's", async () => {
    const [short] = await makeTwo();
    const developer = { ...ownerOf(short.workspaceId), role: "developer" as const };
    await expect(changeSource(unaudited(developer), short.sourceId, { retentionDays: 7 })).rejects.toMatchObject({ code: "forbidden" });
  });
});

const read = async ({ cookie }: TestAccount): Promise<Retention> => (await callRoute("GET", "api/v1/retention", { cookie })).json();

const set = ({ cookie }: TestAccount, body: unknown): Promise<Response> =>
  callRoute("PUT", "api/v1/retention", { cookie, origin: "http://localhost:3000" }, { body });

describe("the retention of a workspace", () => {
  it("is 90 days until an owner or an admin sets another, for this workspace alone", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const admin = await makeAccount({ role: "admin", workspaceId: owner.workspaceId });
    expect(await read(owner)).toMatchObject({ days: 90, oldestReceivedAt: null });
    expect((await set(owner, { days: 365 })).status).toBe(200);
    expect((await set(admin, { days: 30 })).status).toBe(200);
    expect((await read(owner)).days).toBe(30);
    expect((await read(other)).days).toBe(90);
  });

  it("is set to nothing that is no number of days from 7 to 3,650", async () => {
    const owner = await makeAccount();
    for (const days of [0, 6, -1, 3651, 30.5, "30", null]) expect((await set(owner, { days })).status).toBe(400);
    expect((await read(owner)).days).toBe(90);
  });

  it("says the same moment on the page as the database goes by", async () => {
    const { rows } = await pool().query<{ days: number; now: Date; cutoff: Date }>(
      `SELECT days, now, date_trunc('month', now - make_interval(days => days), 'UTC') AS cutoff
       FROM unnest(ARRAY[7, 30, 90, 365, 3650]) AS days, unnest(ARRAY['2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z', '2028-02-29T12:00:00Z']::timestamptz[]) AS now`,
    );
    expect(rows.length).toBe(15);
    for (const { days, now, cutoff } of rows) expect(goneBefore(days, now)).toEqual(cutoff);
  });
});

useStatements();

const LONG_AGO = new Date(Date.now() - 200 * 86_400_000);
const PARTITION = `events_${LONG_AGO.getUTCFullYear()}_${String(LONG_AGO.getUTCMonth() + 1).padStart(2, "0")}`;

/** A workspace with one event that its policy keeps no more. */
async function withExpired(data = {}) {
  await pool().query("SELECT ensure_event_partitions((current_date - 210)::date, 3)");
  const event = { eventId: "evt_old", type: "task.created", created: 1, data };
  const made = await makeApplied([event], { receivedAt: LONG_AGO });
  return made;
}

it("a month that a policy keeps by now is not dropped, and no policy that keeps it is set while it is being dropped", async () => {
  const made = await withExpired();
  const set = (retentionDays: number) => changeSettings(unaudited(actorOf(made)), { retentionDays });
  const locking = pauseBefore(/LOCK TABLE "events_/);
  const dropping = dropPartition(PARTITION);
  await locking.reached;
  await set(365);
  locking.release();
  expect(await dropping).toBe(false);

  await set(30);
  const drop = pauseBefore(/DROP TABLE "events_/);
  const again = dropPartition(PARTITION);
  await drop.reached;
  let isSet = false;
  const setting = set(365).then(() => {
    isSet = true;
  });
  await until(async () => isSet || (await countBlocked("SELECT FROM workspaces%")) === 1, Boolean);
  expect(isSet).toBe(false);
  drop.release();
  expect(await again).toBe(true);
  await setting;
});

it("no field mapping changes while bases are made with the one before", async () => {
  const made = await withExpired({ taskId: "tsk_1" });
  const keeping = pauseBefore(/INSERT INTO view_bases/);
  const round = applyRetention();
  await keeping.reached;
  let isSet = false;
  const setting = changeFieldMapping(unaudited(actorOf(made)), made.sourceId, { taskId: ["ref"] }).then(() => {
    isSet = true;
  });
  const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  await until(async () => isSet || (await pool().query(waits)).rowCount === 1, Boolean);
  expect(isSet).toBe(false);
  keeping.release();
  await Promise.all([round, setting]);
});

it("a statement looks at so many rows, also of those that an earlier round has forgotten", async () => {
  await pool().query("SELECT ensure_event_partitions((current_date - 210)::date, 3)");
  const events = [1, 2, 3, 4, 5].map((n) => ({ eventId: `evt_${n}`, type: "task.created", created: n, data: { taskId: "tsk" } }));
  const { workspaceId } = await makeApplied(events, { receivedAt: LONG_AGO });
  const from = new Date(LONG_AGO.getTime() - 1000).toISOString();
  const to = new Date(LONG_AGO.getTime() + 1000).toISOString();
  await inTransaction(pool(), async (client) => {
    await client.query("SET LOCAL signalbox.bases = 'kept'");
    await client.query("DELETE FROM event_keys WHERE workspace_id = $1 AND event_id IN ('evt_1', 'evt_2', 'evt_3')", [workspaceId]);
    const batches: string[][] = [];
    let last = null;
    do {
      const batch: Awaited<ReturnType<typeof listExpiredEvents>> = await listExpiredEvents(client, { workspaceId, from, to }, last, 2);
      batches.push(batch.events.map(({ eventId }) => eventId));
      last = batch.last;
    } while (last);
    expect(batches).toEqual([[], ["evt_4"], ["evt_5"], []]);
  });
});
