import { describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { readIssue, readIssues } from "#lib/flows/issues/issues";
import { readCauses } from "#lib/flows/issues/root-causes";
import { redeliverSet } from "#lib/flows/processing/redeliver-events";
import { changeFieldMapping, previewFieldMapping } from "#lib/flows/sources/field-mapping";
import { suggestFieldMapping } from "#lib/flows/sources/suggest-field-mapping";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { applyAndLearn } from "#tests/support/learnt-types";
import { append, drainInbox } from "#tests/support/log-writer";
import { earlierEvents, MOVED_EVENTS, movedEvents } from "#tests/support/moved-field";
import { noAudit } from "#tests/support/no-audit";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

/** No filter here has a period that would end with it. */
const now = new Date();

useDatabase();

type World = Awaited<ReturnType<typeof makeWorkspace>>;

const BEGAN = new Date("2026-11-21T15:00:00Z");

/** A field moved: events of 9 types lack their ID, after events of the same records that have it. */
async function moveField(world: World): Promise<void> {
  await append(world.workspaceId, world.sourceId, earlierEvents(), new Date(BEGAN.getTime() - 3_600_000));
  await append(world.workspaceId, world.sourceId, movedEvents(), BEGAN);
  await drainInbox();
}

describe("the root cause of several issues", () => {
  it("says what 9 types have in common: no ID, from which source, since when, and which fields they lack", async () => {
    const world = await makeWorkspace();
    await moveField(world);
    const [cause, ...others] = await readCauses(world.workspaceId);
    expect(others).toEqual([]);
    expect(cause).toMatchObject({
      title: "9 event types have no ID",
      code: "missing_id",
      source: { id: world.sourceId, name: world.source },
      failing: MOVED_EVENTS,
      beganAt: BEGAN.toISOString(),
      fields: [
        { field: "documentId", label: "Document ID", issues: 3, failing: 118 },
        { field: "taskId", label: "Task ID", issues: 3, failing: 61 },
        { field: "runId", label: "Run ID", issues: 2, failing: 58 },
        { field: "integrationId", label: "Integration ID", issues: 1, failing: 20 },
      ],
    });
    expect(cause?.issues).toHaveLength(9);
    expect(cause?.issues[0]).toMatchObject({ type: "document.uploaded", what: "document.uploaded has no document ID", failing: 52 });
  });

  it("says where a field went, as far as the types' schemas know", async () => {
    const world = await makeWorkspace();
    const five = (type: string, begin: number, data: (n: number) => Record<string, unknown>) => {
      const event = (n: number) => ({ eventId: `${type}-${begin}-${n}`, type, created: begin + n, data: data(n) });
      return append(world.workspaceId, world.sourceId, [0, 1, 2, 3, 4].map(event), new Date(BEGAN.getTime() + begin * 60_000));
    };
    for (const type of ["document.uploaded", "document.deleted"]) await five(type, 0, (n) => ({ documentId: `d${n}` }));
    await five("task.assigned", 0, (n) => ({ taskId: `t${n}` }));
    await applyAndLearn();
    for (const type of ["document.uploaded", "document.deleted"]) await five(type, 1, (n) => ({ ref: `d${n}`, extra: [n] }));
    await five("task.assigned", 1, () => ({ assigneeId: null }));
    await applyAndLearn();
    const [cause] = await readCauses(world.workspaceId);
    expect(cause?.title).toBe("3 event types have no ID: a field seems to have been renamed");
    expect(cause?.fields).toMatchObject([
      { label: "Document ID", moved: { from: "data.documentId", to: ["data.ref"] } },
      { label: "Task ID", moved: null },
    ]);
    const uploaded = cause?.issues.find(({ type }) => type === "document.uploaded");
    const issue = await readIssue(world.workspaceId, uploaded?.id ?? "", now);
    expect(issue?.failure.why).toContain("data.documentId is no longer sent, and data.ref is new since then.");
  });

  it("is none of a single issue, of another source's, or of failures that had ended before", async () => {
    const world = await makeWorkspace();
    const other = await makeWorkspace();
    const bad = (eventId: string, type: string) => ({ eventId, type, created: 1, data: { nothing: true } });
    await append(world.workspaceId, world.sourceId, [bad("a", "document.uploaded")], new Date("2026-11-20T10:00:00Z"));
    await append(world.workspaceId, world.sourceId, [bad("b", "document.processed")], new Date("2026-11-20T11:30:00Z"));
    await append(other.workspaceId, other.sourceId, [bad("c", "task.created"), bad("d", "task.assigned")]);
    await drainInbox();
    expect(await readCauses(world.workspaceId)).toEqual([]);
    await append(world.workspaceId, world.sourceId, [bad("e", "task.created")], new Date("2026-11-20T10:40:00Z"));
    await drainInbox();
    expect((await readCauses(world.workspaceId)).map(({ issues }) => issues.map(({ type }) => type).sort())).toEqual([
      ["document.processed", "document.uploaded", "task.created"],
    ]);
    // A second source of the same workspace fails for a reason of its own.
    await pool().query("UPDATE sources SET workspace_id = $1 WHERE id = $2", [world.workspaceId, other.sourceId]);
    await append(world.workspaceId, other.sourceId, [bad("f", "automation.error")], new Date("2026-11-20T10:40:00Z"));
    await drainInbox();
    expect((await readCauses(world.workspaceId)).flatMap(({ issues }) => issues.map(({ type }) => type))).not.toContain("automation.error");
  });
});

describe("a suggested field mapping", () => {
  it("finds each ID in the failed events, by name and by the IDs of known records", async () => {
    const world = await makeWorkspace();
    await moveField(world);
    const { fields, mapping, issues } = await suggestFieldMapping(world.workspaceId, world.sourceId, undefined, now);
    expect(issues).toHaveLength(9);
    expect(fields.map(({ field, events, found, paths }) => [field, events, found, paths.map(({ path }) => path)])).toEqual([
      ["documentId", 118, 118, ["document_ref"]],
      ["taskId", 61, 61, ["task_ref"]],
      ["runId", 58, 58, ["execution.ref"]],
      ["integrationId", 20, 20, ["connector_ref"]],
    ]);
    expect(fields[1]?.paths[0]).toMatchObject({ found: 61, known: 61, example: "tsk_19" });
    expect(mapping).toEqual(Object.fromEntries(fields.map(({ field, paths }) => [field, [paths[0]?.path]])));
  });

  it("is tried on exactly the failed events of these issues, saved, and mends them and no others", async () => {
    const world = await makeWorkspace();
    await moveField(world);
    const all = (await readIssues(world.workspaceId, { state: ["open"] }, { limit: 50 }, new Date())).data;
    const issues = all.filter(({ type }) => type.startsWith("task.")).map(({ id }) => id);
    const { mapping } = await suggestFieldMapping(world.workspaceId, world.sourceId, issues, now);
    expect(mapping).toEqual({ taskId: ["task_ref"] });
    const wrong = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping: { taskId: ["status"] }, issues, limit: 25 });
    expect(wrong.failing).toMatchObject({ tried: 61, fixed: 0 });
    const trial = await previewFieldMapping(world.workspaceId, world.sourceId, { now, mapping, issues, limit: 25 });
    expect(trial).toMatchObject({ failing: { tried: 61, fixed: 61 }, changed: 0, broken: 0 });
    expect(trial.events.length).toBe(25);
    expect(trial.events.every(({ failureBefore }) => failureBefore === null)).toBe(true);
    const hurts = await previewFieldMapping(world.workspaceId, world.sourceId, {
      now,
      mapping: { taskId: ["title", "task_ref"] },
      issues,
      limit: 25,
    });
    expect(hurts.changed).toBeGreaterThan(0);

    await changeFieldMapping(contextOf(actorOf(world), { now, audit: noAudit }), world.sourceId, mapping);
    const filter = { issue: issues, source: world.source, state: ["failed" as const] };
    const { id, total, outcome } = await redeliverSet(world.workspaceId, { filter }, { now, name: null, requestedBy: "ada", dryRun: true });
    expect({ total, outcome }).toMatchObject({ total: 61, outcome: { stillFails: 0, untried: 0 } });
    expect(id).not.toBeNull();
    await redeliverSet(world.workspaceId, { filter }, { now, name: null, requestedBy: "ada" });
    await drainInbox();
    const open = (await readIssues(world.workspaceId, { state: ["open"] }, { limit: 50 }, new Date())).data;
    const others = all.map(({ type }) => type).filter((type) => !type.startsWith("task."));
    expect(open.map(({ type }) => type).sort()).toEqual(others.sort());
    expect((await readCauses(world.workspaceId))[0]?.title).toBe("6 event types have no ID");
  });

  it("takes two paths where types name it differently, and none where nothing looks like an ID", async () => {
    const world = await makeWorkspace();
    const of = (type: string, count: number, data: (n: number) => Record<string, unknown>) =>
      Array.from({ length: count }, (_, n) => ({ eventId: `${type}_${n}`, type, created: 1, data: data(n) }));
    await append(world.workspaceId, world.sourceId, [
      ...of("task.created", 6, (n) => ({ work: { taskKey: `T-${n}00` }, at: "2026-11-21T15:00:00Z", organization: "org_9" })),
      ...of("task.assigned", 4, (n) => ({ todoNumber: 4100 + n, userRef: "usr_1" })),
      ...of("document.uploaded", 3, () => ({ at: "2026-11-21T15:00:00Z", organizationRef: "org_9", colour: "blue" })),
    ]);
    await drainInbox();
    const { fields } = await suggestFieldMapping(world.workspaceId, world.sourceId, undefined, now);
    const paths = Object.fromEntries(fields.map(({ field, paths: found }) => [field, found.map(({ path, found: n }) => [path, n])]));
    expect(paths).toEqual({
      taskId: [
        ["work.taskKey", 6],
        ["todoNumber", 4],
      ],
      documentId: [],
    });
  });
});
