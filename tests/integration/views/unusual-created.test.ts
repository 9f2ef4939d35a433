import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ViewKind } from "#lib/contracts/views";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { readEvent } from "#lib/flows/events/read-event";
import { readIssues } from "#lib/flows/issues/issues";
import { readMoments } from "#lib/flows/views/read-as-of";
import { readView } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { forgetEvents, rebuild } from "#tests/support/rebuild";
import { useNodeReceiver } from "#tests/support/receivers";
import { ofEachKind } from "#tests/support/sample";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const NOW = Math.floor(Date.now() / 1000);
const nothing = { missing: 0, surplus: 0, different: 0 };

/** Moments that are no Unix seconds of our days, and what of them is said. */
const ODD: [title: string, created: number, note: RegExp][] = [
  ["milliseconds", (NOW - 60) * 1000, /in milliseconds: it is read as 20/],
  ["microseconds", (NOW - 60) * 1_000_000, /in microseconds: it is read as 20/],
  ["the year 58860", 1_795_290_000_000 + 1e11, /in milliseconds, which was in the future/],
  ["the year 3000", 32_503_680_000, /in the future when the event arrived/],
  ["the year 275760", 8_640_000_000_000, /in the future/],
  ["the largest safe integer", Number.MAX_SAFE_INTEGER, /in the future/],
  ["zero", 0, /is 0, which is not a valid time/],
  ["minus one", -1, /is -1, which is not a valid time/],
  ["the year 0", -62_167_219_200, /which is not a valid time/],
  ["before every calendar", -8_640_000_000_001, /which is not a valid time/],
  ["the smallest safe integer", Number.MIN_SAFE_INTEGER, /which is not a valid time/],
];

async function send(source: string, id: string, type: string, created: number, data: Record<string, unknown>) {
  return receiver.send(source, signed(envelope({ id, type, created, data })));
}

async function fieldOf(workspaceId: WorkspaceId, kind: ViewKind, id: string, field: string) {
  return (await readView(workspaceId, kind, id, null))?.fields[field]?.value;
}

describe("an event whose `created` is no Unix time of our days", () => {
  it.each(ofEachKind(ODD, ([, , note]) => note.source))(
    "is applied with a note and holds no field for ever: %s",
    async (_, created, note) => {
      const { workspaceId, source } = await makeWorkspace();
      expect((await send(source, "odd", "document.uploaded", created, { documentId: "doc", fileName: "odd.pdf" })).status).toBe(200);
      await drainInbox();
      const event = await readEvent(workspaceId, "odd");
      expect(event?.createdNote).toMatch(note);
      expect(event?.envelope).toMatchObject({ created });
      expect(await fieldOf(workspaceId, "document", "doc", "name")).toBe("odd.pdf");
      const { rows } = await pool().query<{ created: number }>("SELECT created FROM events WHERE workspace_id = $1", [workspaceId]);
      expect(rows).toEqual([{ created }]);
      await send(source, "next", "document.processed", Math.floor(Date.now() / 1000) + 60, { documentId: "doc", fileName: "next.pdf" });
      await drainInbox();
      const document = await readView(workspaceId, "document", "doc", null);
      expect(document).toMatchObject({ state: "processed", label: "next.pdf" });
      expect(document?.fields.uploadedAt?.value).toMatch(/^20\d\d-/);
      expect(document?.events.map(({ created: shown }) => shown.slice(0, 2))).toEqual(["20", "20"]);
      const report = await rebuild(workspaceId, { dryRun: true });
      expect(report).toMatchObject({ ...nothing, carriedFields: 0 });
      for (const { live, rebuilt } of report.kinds) expect(rebuilt).toEqual(live);
    },
  );

  it("stands in time where it is read: as of a moment, among the moments, in lists", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await send(source, "first", "document.uploaded", NOW - 100, { documentId: "doc", fileName: "first.pdf" });
    await send(source, "milli", "document.processed", (NOW - 50) * 1000 + 999, { documentId: "doc", fileName: "milli.pdf" });
    await drainInbox();
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    expect((await readView(workspaceId, "document", "doc", iso(NOW - 51)))?.label).toBe("first.pdf");
    const then = await readView(workspaceId, "document", "doc", iso(NOW - 50));
    expect(then).toMatchObject({ label: "milli.pdf", lastEventAt: iso(NOW - 50) });
    expect(then?.events.map(({ id }) => id).sort()).toEqual(["first", "milli"]);
    expect((await readMoments(workspaceId, "document", "doc")).data.map(({ at }) => at)).toEqual([iso(NOW - 100), iso(NOW - 50)]);
    expect((await listEvents(workspaceId, {}, { now: new Date(), limit: 5 })).data.map(({ created }) => created).sort()).toEqual([
      iso(NOW - 100),
      iso(NOW - 50),
    ]);
    expect((await readEvent(workspaceId, "milli"))?.effects).toContainEqual(
      expect.objectContaining({ field: "name", before: { value: "first.pdf", eventId: "first" }, verdict: "stands" }),
    );
    for (const moment of ["0000-01-01T00:00:00Z", "-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z"])
      await expect(readView(workspaceId, "document", "doc", moment)).resolves.toSatisfy(
        (view) => view === null || typeof view === "object",
      );
  });

  it("ends a failure, and its failure can be ended", async () => {
    const { workspaceId, source } = await makeWorkspace();
    await send(source, "bad", "document.error", (NOW - 100) * 1000, { documentId: "doc", error: { code: "blank", message: "Blank" } });
    await drainInbox();
    expect((await readIssues(workspaceId, { state: ["open"] }, { limit: 10 }, new Date())).data).toHaveLength(1);
    await send(source, "good", "document.processed", NOW - 50, { documentId: "doc", status: "completed" });
    await drainInbox();
    expect((await readIssues(workspaceId, { state: ["open"] }, { limit: 10 }, new Date())).data).toHaveLength(0);
    expect(await fieldOf(workspaceId, "document", "doc", "errorCode")).toBeUndefined();
  });

  it("loses no field in a rebuild when it has left the log", { tags: ["deep"] }, async () => {
    for (const [, created] of ODD) {
      const { workspaceId, sourceId } = await makeWorkspace();
      const data = { documentId: "doc", name: "odd.pdf" };
      const longAgo = new Date((NOW - 40 * 86_400) * 1000);
      await append(workspaceId, sourceId, [{ eventId: `odd_${created}`, type: "document.uploaded", created, data }], longAgo);
      await append(workspaceId, sourceId, [
        { eventId: `other_${created}`, type: "document.uploaded", created: NOW, data: { documentId: "other" } },
      ]);
      const task = { taskId: "task", pipelineId: "pipe", stage: "Inbox" };
      await append(workspaceId, sourceId, [{ eventId: `task_${created}`, type: "task.created", created, data: task }], longAgo);
      await drainInbox();
      await forgetEvents([`odd_${created}`, `task_${created}`]);
      expect(await rebuild(workspaceId)).toMatchObject({ ...nothing, corrected: 0, moves: { ...nothing, carried: 1 } });
      expect(await fieldOf(workspaceId, "document", "doc", "name")).toBe("odd.pdf");
      expect(await fieldOf(workspaceId, "task", "task", "stage")).toBe("Inbox");
    }
  });

  it("is the same to the byte live and rebuilt, whatever the order in which odd events are applied", async () => {
    const { workspaceId, sourceId } = await makeWorkspace();
    for (const [at, [title, created]] of [...ODD].reverse().entries())
      await append(
        workspaceId,
        sourceId,
        [
          {
            eventId: `e${at}`,
            type: at % 2 ? "document.processed" : "document.error",
            created,
            data: { documentId: "doc", name: title, message: title },
          },
        ],
        new Date((NOW - 1000 * at) * 1000),
      );
    await drainInbox(2);
    const report = await rebuild(workspaceId, { dryRun: true });
    expect(report).toMatchObject({ ...nothing, events: ODD.length });
    for (const { live, rebuilt } of report.kinds) expect(rebuilt).toEqual(live);
    for (const [at] of ODD.entries()) expect((await readEvent(workspaceId, `e${at}`))?.effects.length).toBeGreaterThan(0);
  });
});
