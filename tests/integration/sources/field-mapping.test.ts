import { describe, expect, it } from "vitest";
import { listAudit } from "#lib/auth/audit/audit-store";
import type { FieldMapping } from "#lib/contracts/sources/field-mapping";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { readIssues } from "#lib/flows/issues/issues";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { readQuarantine, readQuarantined } from "#lib/flows/quarantine/quarantine";
import { releaseMatching } from "#lib/flows/quarantine/release-quarantined";
import { changeFieldMapping, previewFieldMapping } from "#lib/flows/sources/field-mapping";
import { suggestFieldMapping } from "#lib/flows/sources/suggest-field-mapping";
import { foldAsOf } from "#lib/flows/views/read-as-of";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox, fileAll, makeApplied } from "#tests/support/log-writer";
import { randomEvents } from "#tests/support/random-events";
import { rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { actorOf, envelope, makeWorkspace, signed } from "#tests/support/webhooks";

/** No filter here has a period that would end with it. */
const now = new Date();

useDatabase();
useStatements();
const receiver = useNodeReceiver();

type World = Awaited<ReturnType<typeof makeWorkspace>>;

function map(world: World, mapping: FieldMapping) {
  const actor = actorOf(world);
  return changeFieldMapping(contextOf(actor, { now }), world.sourceId, mapping);
}

async function send({ source }: World, body: string, status = 200): Promise<void> {
  expect((await receiver.send(source, signed(body))).status).toBe(status);
}

const document = async ({ workspaceId }: World, id: string) => {
  const { rows } = await pool().query(
    `SELECT registers->'name'->>'v' AS name, registers->'status'->>'v' AS status, registers ? 'data.file' AS rest FROM views
     WHERE workspace_id = $1 AND kind = 'document' AND id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
};

const strange = (id: string, over: Record<string, unknown> = {}) =>
  envelope({ id, data: { file: { ref: `doc_${id}`, caption: `${id}.pdf` }, outcome: "ok", ...over } });

const MAPPING: FieldMapping = { documentId: ["file.ref"], documentName: ["file.caption"], status: ["outcome"] };

describe("a source's field mapping", () => {
  it("reads an ID, a name and a status where it says, and failed events once they are delivered again", async () => {
    const world = await makeWorkspace();
    await send(world, strange("a"));
    await drainInbox();
    expect(await document(world, "doc_a")).toBeNull();
    const [issue] = (await readIssues(world.workspaceId, {}, { limit: 5 }, new Date())).data;
    expect(issue?.failure.fix).toContain("Field mapping");
    expect(issue?.failure.fix).not.toMatch(/source code|update signalbox/i);
    const changed = await map(world, MAPPING);
    expect(changed).toMatchObject({ failedEvents: 1, releasable: 0 });
    await redeliverSet(world.workspaceId, { filter: { source: world.source, state: ["failed"] } }, { now, name: null, requestedBy: "ada" });
    await send(world, strange("b"));
    await drainInbox();
    expect(await document(world, "doc_a")).toEqual({ name: "a.pdf", status: "ok", rest: false });
    expect(await document(world, "doc_b")).toEqual({ name: "b.pdf", status: "ok", rest: false });
    expect((await readIssues(world.workspaceId, { state: ["open"] }, { limit: 5 }, new Date())).data).toEqual([]);
    // Lists, the event's page and the search know it by the mapped ID.
    const { data } = await listEvents(world.workspaceId, { resource: "document:doc_b" }, { now, limit: 5 });
    expect(data.map(({ id }) => id)).toEqual(["b"]);
    expect((await readEvent(world.workspaceId, "b"))?.effects.find(({ field }) => field === "name")?.value).toBe("b.pdf");
    await fileAll();
    expect((await listEvents(world.workspaceId, { q: "b.pdf" }, { now, limit: 5 })).data).toHaveLength(1);
  });

  it("is tried on stored events before it is saved: what is read now, what would be, and what is written is nothing", async () => {
    const world = await makeWorkspace();
    await send(world, strange("a"));
    await send(
      world,
      envelope({ id: "plain", data: { documentId: "doc_plain", organizationId: "org_1", status: "completed", metadata: {} } }),
    );
    await send(world, envelope({ id: "other", type: "task.created", data: { taskId: "tsk_1", title: "Approve" } }));
    await drainInbox();
    const trial = await previewFieldMapping(world.workspaceId, world.sourceId, {
      now,
      mapping: MAPPING,
      type: "document.processed",
      limit: 25,
    });
    expect(trial).toMatchObject({ changed: 1, fixed: 1, broken: 0, types: ["document.processed", "task.created"] });
    const byId = new Map(trial.events.map((event) => [event.eventId, event]));
    expect([...byId.keys()].sort()).toEqual(["a", "plain"]);
    expect(byId.get("plain")).toMatchObject({ changes: [], failureBefore: null, failureAfter: null });
    expect(byId.get("a")?.failureBefore).toContain("has no document ID");
    expect(byId.get("a")?.changes).toContainEqual({ kind: "document", field: "id", before: null, after: "doc_a" });
    expect(trial.paths).toContainEqual({ path: "file.ref", example: "doc_a" });
    expect(await document(world, "doc_a")).toBeNull();
    const breaking = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping: { documentId: ["status"] }, limit: 25 });
    expect(breaking.events.find(({ eventId }) => eventId === "plain")?.changes).toContainEqual({
      kind: "document",
      field: "id",
      before: "doc_plain",
      after: "completed",
    });
  });

  it("is tried on the newest 500 failed events, and counts all that a re-delivery takes", async () => {
    const world = await makeWorkspace();
    const failing = Array.from({ length: 502 }, (_, n) => {
      return { eventId: `many_${n}`, type: "document.processed", created: 1_790_000_000 + n, data: { file: { ref: `doc_${n}` } } };
    });
    await append(world.workspaceId, world.sourceId, failing);
    await drainInbox();
    const [issue] = (await readIssues(world.workspaceId, {}, { limit: 5 }, now)).data;
    const issues = [issue?.id ?? ""];
    const trial = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping: MAPPING, issues, limit: 25 });
    expect(trial.failing).toMatchObject({ tried: 500, fixed: 500, total: 502 });
    const { fields } = await suggestFieldMapping(world.workspaceId, world.sourceId, issues, now);
    expect(fields).toMatchObject([{ field: "documentId", events: 500, found: 500, total: 502 }]);
    expect(await map(world, MAPPING)).toMatchObject({ failedEvents: 502 });
  });

  it("is tried in the language of its source: another sender's events fail for no missing ID of ours", async () => {
    const world = await makeWorkspace();
    await pool().query("UPDATE sources SET template = 'stripe', records = 'none' WHERE id = $1", [world.sourceId]);
    await append(world.workspaceId, world.sourceId, [
      { eventId: "evt_foreign", type: "document.uploaded", created: 1, data: { object: { id: "ch_1" } } },
    ]);
    const trial = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping: { documentId: ["object.id"] }, limit: 25 });
    expect(trial.events).toMatchObject([{ eventId: "evt_foreign", failureBefore: null, failureAfter: null, changes: [] }]);
    expect(trial).toMatchObject({ tried: 1, changed: 0, fixed: 0 });
  });

  it("gives the same records live and rebuilt, and a rebuild moves what was read otherwise before", { tags: ["deep"] }, async () => {
    const world = await makeWorkspace();
    const before = randomEvents(300, 5).map((event) => ({
      ...event,
      data: { ...event.data, ref: `doc_by_ref_${event.eventId.length % 7}` },
    }));
    await append(world.workspaceId, world.sourceId, before.slice(0, 150));
    await drainInbox(2);
    await map(world, { documentId: ["ref"], stage: ["none.here"] });
    await append(world.workspaceId, world.sourceId, before.slice(150));
    await drainInbox(2);
    const report = await rebuild(world.workspaceId);
    expect(report.corrected).toBeGreaterThan(0);
    const again = await rebuild(world.workspaceId, { dryRun: true });
    for (const { live, rebuilt } of again.kinds) expect(rebuilt).toEqual(live);
    expect(again).toMatchObject({ missing: 0, surplus: 0, different: 0 });
    const { rows } = await pool().query("SELECT id FROM views WHERE workspace_id = $1 AND kind = 'document'", [world.workspaceId]);
    expect(rows.length).toBeGreaterThan(0);
    for (const { id } of rows) expect(id).toMatch(/^doc_by_ref_/);
    // A record's past is found under its new ID, too.
    const past = await foldAsOf(world.workspaceId, "document", [rows[0].id], 4_000_000_000);
    expect(past.find("document", rows[0].id)).toMatchObject({ state: {} });
    // Without the mapping the log gives what it gave before.
    await map(world, {});
    await rebuild(world.workspaceId);
    const plain = await rebuild(world.workspaceId, { dryRun: true });
    for (const { live, rebuilt } of plain.kinds) expect(rebuilt).toEqual(live);
    const left = await pool().query("SELECT 1 FROM views WHERE workspace_id = $1 AND kind = 'document' AND id LIKE 'doc_by_ref%'", [
      world.workspaceId,
    ]);
    expect(left.rowCount).toBe(0);
  });

  it("ends a rebuild during which it changes, and the records are as they were", { timeout: 120_000 }, async () => {
    const world = await makeApplied(randomEvents(50, 9));
    const comparison = pauseBefore(/REPEATABLE READ/);
    const rebuilding = expect(rebuild(world.workspaceId)).rejects.toThrow("field mapping changed");
    await comparison.reached;
    await map(world, { documentId: ["elsewhere"] });
    comparison.release();
    await rebuilding;
  });

  it("releases requests that were answered 202, with their IDs, times and data at mapped places", async () => {
    const world = await makeWorkspace();
    const flat = (n: number) =>
      JSON.stringify({ event_id: `flat_${n}`, event: "document.uploaded", at: "2026-05-01T10:00:00Z", ref: `doc_${n}` });
    for (const n of [1, 2]) await send(world, flat(n), 202);
    await send(world, envelope({ id: "fraction" }).replace(/"created":\d+/, '"created":1795290000.5'), 202);
    const mapping: FieldMapping = {
      "event.id": ["event_id"],
      "event.type": ["event"],
      "event.created": ["at", "created"],
      "event.data": ["data", "$"],
      documentId: ["ref"],
    };
    const trial = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping, limit: 5 });
    expect(trial).toMatchObject({ readable: 3, quarantined: { tried: 3, total: 3 } });
    expect(trial.requests.map(({ eventId }) => eventId).sort()).toEqual(["flat_1", "flat_2", "fraction"]);
    expect(await map(world, mapping)).toMatchObject({ releasable: 3 });
    const [entry] = (await readQuarantine(world.workspaceId, {}, { limit: 5 }, new Date())).data;
    expect((await readQuarantined(world.workspaceId, entry?.id ?? "", new Date()))?.fix).toBe("Release it.");
    const result = await releaseMatching(world.workspaceId, { filter: { source: world.source }, dryRun: false }, "ada", new Date());
    expect(result).toMatchObject({ released: 3, stillQuarantined: 0 });
    await send(world, flat(3)); // the receiver takes it at once, in place of 202
    await drainInbox();
    const { data } = await listEvents(world.workspaceId, { resource: "document:doc_2" }, { now, limit: 5 });
    expect(data).toMatchObject([{ id: "flat_2", type: "document.uploaded", created: "2026-05-01T10:00:00.000Z", state: "processed" }]);
    expect(await document(world, "doc_3")).not.toBeNull();
  });

  it("is another workspace's to nobody, and every change is in the audit log with before and after", async () => {
    const world = await makeWorkspace();
    const stranger = await makeWorkspace();
    await expect(changeFieldMapping(contextOf(actorOf(stranger), { now }), world.sourceId, MAPPING)).rejects.toMatchObject({
      code: "not_found",
    });
    await map(world, { documentId: ["file.ref"] });
    await map(world, { documentId: ["file.ref"] });
    await map(world, { documentId: ["file.id"] });
    const { data } = await listAudit(world.workspaceId, {}, { limit: 10 });
    expect(data.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["source.field_mapping_changed", { mapping: { documentId: ["file.ref"] } }, { mapping: { documentId: ["file.id"] } }],
      ["source.field_mapping_changed", { mapping: {} }, { mapping: { documentId: ["file.ref"] } }],
    ]);
  });
});
