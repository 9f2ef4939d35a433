import { describe, expect, it } from "vitest";
import { sourceId as toSourceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { changeSource, createSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";
import { readView } from "#lib/flows/views/read-views";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { append, drainInbox } from "#tests/support/log-writer";
import { noAudit } from "#tests/support/no-audit";
import { makeWorkspace } from "#tests/support/webhooks";

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
  changeSource(contextOf(ownerOf(workspaceId), { audit: noAudit }), sourceId, { retentionDays });

async function eventIds({ workspaceId }: Made): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT event_id AS id FROM events WHERE workspace_id = $1 ORDER BY event_id", [
    workspaceId,
  ]);
  return rows.map(({ id }) => id);
}

/** A workspace that keeps events for a year, with two sources of old and new events. */
async function makeTwo(): Promise<[Made, Made]> {
  await pool().query("SELECT ensure_event_partitions((current_date - 110)::date, 4)");
  const short = await makeWorkspace();
  const { workspaceId } = short;
  const added = await createSource(contextOf(ownerOf(workspaceId), { audit: noAudit }), {
    name: `${short.source}-long`,
    template: "platform",
  });
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
    expect(await eventIds(short)).toHaveLength(6);
    expect((await keepFor(short, 30)).retentionDays).toBe(30);
    await applyRetention(1);
    expect(await eventIds(short)).toEqual(["long_100", "long_2", "long_80", "short_2"]);
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
    expect(await eventIds(short)).toContain("short_late");
    expect(await goneBefore()).toBeNull();
    await drainInbox();
    await applyRetention();
    expect(await eventIds(short)).not.toContain("short_late");
    expect(await goneBefore()).toBeInstanceOf(Date);
  });

  it("never lengthens the workspace's, and ends when it is removed", async () => {
    const [short] = await makeTwo();
    await keepFor(short, 3650);
    await pool().query("UPDATE workspaces SET retention_days = 30 WHERE id = $1", [short.workspaceId]);
    await applyRetention();
    expect(await eventIds(short)).toEqual(["long_2", "short_2"]);
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
    await expect(changeSource(contextOf(developer, { audit: noAudit }), short.sourceId, { retentionDays: 7 })).rejects.toMatchObject({
      code: "forbidden",
    });
  });
});
