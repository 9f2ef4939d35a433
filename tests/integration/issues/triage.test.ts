import { describe, expect, it } from "vitest";
import { auditOf } from "#lib/auth/audit/audit";
import { listAudit } from "#lib/auth/audit/audit-store";
import { snoozeIssues } from "#lib/flows/alerts/manage-rules";
import { changeIssueStates, readIssues } from "#lib/flows/issues/issues";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { actorOf, makeWorkspace } from "#tests/support/webhooks";

useDatabase();

/** Issues of three types, with 1, 3 and 2 events. */
async function makeIssues() {
  const world = await makeWorkspace();
  for (const [type, count] of [
    ["task.created", 1],
    ["document.uploaded", 3],
    ["automation.error", 2],
  ] as const) {
    const events = Array.from({ length: count }, (_, n) => ({ eventId: `${type}_${n}`, type, created: 1, data: {} }));
    await append(world.workspaceId, world.sourceId, events);
    await drainInbox();
  }
  return world;
}

describe("the list of issues", () => {
  it("is ordered by the newest failure, by when they were first seen and by their events, a page at a time", async () => {
    const { workspaceId } = await makeIssues();
    const typesBy = async (sort: "newest" | "first_seen" | "count") => {
      const types: string[] = [];
      for (let cursor: string | undefined; types.length < 3; ) {
        const { data, nextCursor } = await readIssues(workspaceId, {}, { limit: 1, cursor, sort }, new Date());
        types.push(...data.map(({ type }) => type));
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return types;
    };
    expect(await typesBy("newest")).toEqual(["automation.error", "document.uploaded", "task.created"]);
    expect(await typesBy("first_seen")).toEqual(["automation.error", "document.uploaded", "task.created"]);
    expect(await typesBy("count")).toEqual(["document.uploaded", "automation.error", "task.created"]);
    const { nextCursor } = await readIssues(workspaceId, {}, { limit: 1, sort: "count" }, new Date());
    await expect(readIssues(workspaceId, {}, { limit: 1, sort: "newest", cursor: nextCursor ?? "" }, new Date())).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("is searched by words of the error, the type and the code, and says whose events fail", async () => {
    const { workspaceId, source } = await makeIssues();
    const found = async (q: string) => (await readIssues(workspaceId, { q }, { limit: 10 }, new Date())).data.map(({ type }) => type);
    expect(await found("NO DOCUMENT id")).toEqual(["document.uploaded"]);
    expect(await found("automation error")).toEqual(["automation.error"]);
    expect(await found("missing_id")).toHaveLength(3);
    expect(await found("100%")).toEqual([]);
    expect((await readIssues(workspaceId, {}, { limit: 1 }, new Date())).data[0]?.source).toBe(source);
  });
});

describe("several issues at once", () => {
  it("are changed as far as their states allow, each with an entry in the audit log", async () => {
    const world = await makeIssues();
    const actor = actorOf(world);
    const all = (await readIssues(world.workspaceId, {}, { limit: 10 }, new Date())).data.map(({ id }) => id);
    const [first = "", second = "", third = ""] = all;
    const change = (ids: string[], action: "resolve" | "reopen") => changeIssueStates(contextOf(actor), ids, action);
    expect(await change([first], "resolve")).toEqual({ changed: [first], unchanged: [] });
    expect(await change([first, second, second], "resolve")).toEqual({ changed: [second], unchanged: [first] });
    const states = (await readIssues(world.workspaceId, {}, { limit: 10 }, new Date())).data.map(({ id, state }) => [id, state]);
    expect(Object.fromEntries(states)).toEqual({ [first]: "resolved", [second]: "resolved", [third]: "open" });
    const { data } = await listAudit(world.workspaceId, {}, { limit: 10 });
    expect(data.map(({ action, target }) => [action, target?.id])).toEqual([
      ["issue.resolved", second],
      ["issue.resolved", first],
    ]);
  });

  it("have their alerts snoozed; an audit that has nothing to record is settled", async () => {
    const world = await makeIssues();
    const actor = actorOf(world);
    const [issue] = (await readIssues(world.workspaceId, {}, { limit: 1 }, new Date())).data;
    const audit = auditOf(actor);
    expect(await snoozeIssues(contextOf(actor, { audit }), ["iss_none"], "1h")).toEqual({ changed: [], unchanged: ["iss_none"] });
    expect(audit.settled).toBe(true);
    expect(await snoozeIssues(contextOf(actor), [issue?.id ?? ""], "1h")).toEqual({ changed: [issue?.id], unchanged: [] });
    expect((await listAudit(world.workspaceId, {}, { limit: 1 })).data[0]?.action).toBe("alert.snoozed");
  });
});
