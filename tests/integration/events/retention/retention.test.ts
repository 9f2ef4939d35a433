import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { inTransaction, pool } from "#lib/db/pool";
import { listLateRetention } from "#lib/events/retention-store";
import { readEvent } from "#lib/flows/events/read-event";
import { applyRetention } from "#lib/flows/events/retention";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { readView } from "#lib/flows/views/read-views";
import { claimDue } from "#lib/processing/inbox-store";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { passOverWaiting } from "#tests/support/waiting";
import { eventIdsOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

type Made = Awaited<ReturnType<typeof makeWorkspace>>;

/** Puts an event into the log as if it had come some days ago. */
async function receive({ workspaceId, sourceId }: Made, eventId: string, days: number, documentId = "doc_1"): Promise<void> {
  const receivedAt = daysAgo(days);
  const created = Math.floor(receivedAt.getTime() / 1000);
  const data = { documentId, fileName: `${eventId}.pdf` };
  await append(workspaceId, sourceId, [{ eventId, type: "document.uploaded", created, data }], receivedAt);
}

const keep = (workspaceId: WorkspaceId, days: number) =>
  pool().query("UPDATE workspaces SET retention_days = $2 WHERE id = $1", [workspaceId, days]);

async function countBeside(workspaceId: WorkspaceId): Promise<Record<string, number>> {
  const tables = ["event_keys", "event_refs", "event_conflicts", "attempts", "dead_letters"];
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await pool().query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
      return [table, rows[0]?.n ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Applies what waits, and all of it again: a first delivery leaves no attempt behind. */
async function applyTwice(workspaceId: WorkspaceId): Promise<void> {
  await drainInbox();
  const request = { now: new Date(), name: null, requestedBy: "ada@example.com" };
  await redeliverSet(workspaceId, { eventIds: await eventIdsOf(workspaceId) }, request);
  await drainInbox();
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** Has an event wait for its destination. */
async function hold({ workspaceId }: Made, eventId: string): Promise<void> {
  await pool().query(
    "INSERT INTO destinations (id, workspace_id, name, url, mode, state) VALUES ($1, $2, 'Target', 'https://a.example', 'signed', 'suspended')",
    [`dst_${eventId}`, workspaceId],
  );
  await pool().query(
    `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject)
     SELECT workspace_id, 'dst_' || event_id, received_at, seq, event_id, type, 'document:doc_1' FROM events WHERE event_id = $1`,
    [eventId],
  );
}

async function auditOfRetention(workspaceId: WorkspaceId) {
  const { rows } = await pool().query<{ action: string; after: Record<string, unknown> }>(
    "SELECT action, after FROM audit_entries WHERE workspace_id = $1 AND actor_name = 'Retention' ORDER BY id",
    [workspaceId],
  );
  return rows.map(({ action, after }) => [action, after.events ?? after.count]);
}

const partitionOf = (date: Date) => `events_${date.toISOString().slice(0, 7).replace("-", "_")}`;

beforeEach(async () => {
  await passOverWaiting();
  await pool().query("DELETE FROM workspaces");
  await pool().query("SELECT ensure_event_partitions((current_date - 400)::date, 15)");
  await applyRetention();
  await pool().query("SELECT ensure_event_partitions((current_date - 400)::date, 15)");
});

describe("the log", () => {
  it("refuses to change a row, and to delete one that its workspace's policy keeps, whoever asks", async () => {
    const made = await makeWorkspace();
    await receive(made, "evt_young", 20);
    await receive(made, "evt_old", 200);
    const change = pool().query("UPDATE events SET type = 'other' WHERE event_id = 'evt_old'");
    await expect(change).rejects.toMatchObject({ code: "55000", message: expect.stringContaining("append-only") });
    await expect(pool().query("DELETE FROM events WHERE event_id = 'evt_young'")).rejects.toMatchObject({ code: "55000" });
    await expect(pool().query(`DELETE FROM ${partitionOf(daysAgo(20))} WHERE event_id = 'evt_young'`)).rejects.toMatchObject({
      code: "55000",
    });
    expect((await pool().query("DELETE FROM events WHERE event_id = 'evt_old'")).rowCount).toBe(1);
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_young"]);
  });

  it("starts although events of a month without a partition stand in the default one", { tags: ["deep"] }, async () => {
    const made = await makeWorkspace();
    await receive(made, "evt_stray", 900);
    const { rows } = await pool().query("SELECT ensure_event_partitions((current_date - 900)::date, 1) AS made");
    expect(rows).toEqual([{ made: 0 }]);
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_stray"]);
    await drainInbox();
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual([]);
  });
});

describe("retention", () => {
  it("keeps an event of which a delivery is held, until it is sent or for 30 days; what goes is in the audit log", {
    tags: ["deep"],
  }, async () => {
    const made = await makeWorkspace();
    const other = await makeWorkspace();
    // A policy that reaches back to the second of a month: held ones are kept from the first of the month before.
    const first = new Date();
    first.setUTCDate(1);
    first.setUTCHours(0, 0, 0, 0);
    first.setUTCMonth(first.getUTCMonth() - 4);
    const age = (Date.now() - first.getTime()) / DAY_MS;
    for (const { workspaceId } of [made, other]) await keep(workspaceId, Math.floor(age) - 1);
    const month = age + 2;
    const longAgo = age + 62;
    await receive(made, "evt_held", month);
    await receive(made, "evt_sent", month);
    await receive(other, "evt_other", month);
    await receive(made, "evt_too_long", longAgo);
    await drainInbox();
    await hold(made, "evt_held");
    await hold(made, "evt_too_long");
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_held"]);
    expect(await eventIdsOf(other.workspaceId)).toEqual([]);
    expect((await listLateRetention()).map(({ workspaceId }) => workspaceId)).toEqual([]);
    expect(await auditOfRetention(made.workspaceId)).toEqual([
      ["delivery.expired", 1],
      ["retention.applied", 2],
    ]);
    expect(await auditOfRetention(other.workspaceId)).toEqual([["retention.applied", 1]]);
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_held"]);
    await pool().query("UPDATE forward_deliveries SET state = 'delivered' WHERE event_id = 'evt_held'");
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual([]);
    expect((await pool().query("SELECT FROM forward_deliveries")).rowCount).toBe(0);
    expect(await auditOfRetention(made.workspaceId)).toHaveLength(3);
  });

  it("tells the audit log of every deleted event, also of a round that ended before it came to that", async () => {
    const made = await makeWorkspace();
    await keep(made.workspaceId, 7);
    for (const n of [1, 2, 3]) await receive(made, `evt_${n}`, 70);
    await drainInbox();
    await pool().query("ALTER TABLE audit_entries RENAME TO audit_away");
    try {
      await expect(applyRetention(1)).rejects.toThrow();
    } finally {
      await pool().query("ALTER TABLE audit_away RENAME TO audit_entries");
    }
    expect(await eventIdsOf(made.workspaceId)).toEqual([]);
    expect(await auditOfRetention(made.workspaceId)).toEqual([]);
    await applyRetention(1);
    await applyRetention(1);
    expect(await auditOfRetention(made.workspaceId)).toEqual([["retention.applied", 3]]);
  });

  it("drops the months that every workspace is past, with all that stands beside the log, and keeps the view", async () => {
    const made = await makeWorkspace();
    await receive(made, "evt_old", 200);
    await receive(made, "evt_old", 200); // a repeat
    await receive(made, "evt_kept", 20, "doc_2");
    await applyTwice(made.workspaceId);
    const before = await readView(made.workspaceId, "document", "doc_1", null);
    const round = await applyRetention();
    expect(round.eventsForgotten).toBe(1);
    expect(round.partitionsDropped).toBeGreaterThan(5);
    expect(await partitions()).not.toContain(partitionOf(daysAgo(200)));
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_kept"]);
    expect(await countBeside(made.workspaceId)).toEqual({ event_keys: 1, event_refs: 1, event_conflicts: 0, attempts: 1, dead_letters: 0 });
    expect(await readEvent(made.workspaceId, "evt_old")).toBeNull();
    const after = await readView(made.workspaceId, "document", "doc_1", null);
    expect(after?.fields).toEqual(before?.fields);
    expect([before?.forgotten, after?.forgotten]).toEqual([[], ["evt_old"]]);
    expect(await applyRetention()).toEqual({ partitionsDropped: 0, eventsForgotten: 0 });
  });

  it("takes a workspace with a shorter policy out of a month that another keeps, in small batches, and nobody else", async () => {
    const [short, long] = [await makeWorkspace(), await makeWorkspace()];
    await keep(short.workspaceId, 30);
    await keep(long.workspaceId, 365);
    for (let n = 0; n < 25; n += 1) await receive(short, `evt_s${n}`, 100 + n);
    for (let n = 0; n < 25; n += 1) await receive(long, `evt_l${n}`, 100 + n);
    await receive(short, "evt_s_new", 10);
    await applyTwice(short.workspaceId);
    await applyTwice(long.workspaceId);
    expect((await applyRetention(7)).eventsForgotten).toBe(25);
    expect(await eventIdsOf(short.workspaceId)).toEqual(["evt_s_new"]);
    expect(await countBeside(short.workspaceId)).toMatchObject({ event_keys: 1, event_refs: 1, attempts: 1 });
    expect(await eventIdsOf(long.workspaceId)).toHaveLength(25);
    expect(await countBeside(long.workspaceId)).toMatchObject({ event_keys: 25, event_refs: 25, attempts: 25 });
  });

  it("keeps an event for at least the days of the policy and lets it go at most a month later", async () => {
    const made = await makeWorkspace();
    for (const days of [89, 90, 122, 150]) await receive(made, `evt_${days}`, days);
    await drainInbox();
    await applyRetention();
    const left = await eventIdsOf(made.workspaceId);
    expect(left).toContain("evt_89");
    expect(left).not.toContain("evt_122");
    expect(left).not.toContain("evt_150");
  });

  it("lets nothing go that still waits to be applied", { tags: ["deep"] }, async () => {
    const made = await makeWorkspace();
    await receive(made, "evt_waiting", 300);
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual(["evt_waiting"]);
    await drainInbox();
    await applyRetention();
    expect(await eventIdsOf(made.workspaceId)).toEqual([]);
    expect((await readView(made.workspaceId, "document", "doc_1", null))?.label).toBe("evt_waiting.pdf");
  });

  it("takes a delivery out of the inbox whose event has gone, so that it stands in nobody's way", async () => {
    const made = await makeWorkspace();
    await pool().query(
      "INSERT INTO inbox (workspace_id, received_at, seq, redelivery_id, due_at) VALUES ($1, now(), 1, 'rdl', now() - interval '1 minute')",
      [made.workspaceId],
    );
    const claim = { workspaceIds: [made.workspaceId], limit: 10, share: 10 };
    expect(await inTransaction(pool("worker"), (client) => claimDue(client, claim))).toEqual([]);
    expect((await pool().query("SELECT 1 FROM inbox")).rowCount).toBe(0);
  });

  it("keeps an event whole when its policy is lengthened while a round goes on", { tags: ["deep"] }, async () => {
    const made = await makeWorkspace();
    for (const id of ["evt_first", "evt_second"]) await receive(made, id, 200);
    await drainInbox();
    await keep(made.workspaceId, 30);
    await pool().query(`CREATE FUNCTION lengthen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE workspaces SET retention_days = 3650 WHERE id = OLD.workspace_id; RETURN NULL; END $$`);
    await pool().query("CREATE TRIGGER lengthen AFTER DELETE ON event_keys FOR EACH ROW EXECUTE FUNCTION lengthen()");
    try {
      await applyRetention(1);
    } finally {
      await pool().query("DROP FUNCTION lengthen CASCADE");
    }
    expect(await readEvent(made.workspaceId, "evt_second")).not.toBeNull();
    expect(await countBeside(made.workspaceId)).toMatchObject({ event_keys: 1, event_refs: 1 });
  });
});
