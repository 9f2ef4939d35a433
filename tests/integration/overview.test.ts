import { expect, it } from "vitest";
import { findLastVisit, noteVisit } from "#lib/auth/visit-store";
import { pool } from "#lib/db/pool";
import { moveIssue } from "#lib/flows/move-issue";
import { processEvents } from "#lib/flows/process-events";
import { readChanges } from "#lib/flows/read-changes";
import { readCounts } from "#lib/flows/read-counts";
import { readOverview } from "#lib/flows/read-overview";
import { makeAccount } from "#tests/support/account";
import { useDatabase } from "#tests/support/database";
import { useNativeDoor } from "#tests/support/doors";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const door = useNativeDoor();

const MINUTE_MS = 60_000;

async function send(source: string, id: string, data: Record<string, unknown>, type = "document.processed"): Promise<void> {
  expect((await door.knock(source, signed(envelope({ id, type, data })))).status).toBe(200);
  while ((await processEvents()) > 0);
}

it("a visit begins anew after half an hour of absence, and remembers when the one before it ended", async () => {
  const { workspaceId, userId } = await makeAccount();
  const start = Date.UTC(2026, 0, 1);
  const at = (minutes: number) => new Date(start + minutes * MINUTE_MS);
  await noteVisit(workspaceId, userId, at(0));
  await noteVisit(workspaceId, userId, at(20));
  expect(await findLastVisit(workspaceId, userId)).toBeNull();
  await noteVisit(workspaceId, userId, at(60));
  await noteVisit(workspaceId, userId, at(70));
  expect(await findLastVisit(workspaceId, userId)).toEqual(at(20));
});

it("what changed since the last visit is counted for the person who looks, and for nobody else", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const { userId, email, sessionHash } = await makeAccount({ workspaceId });
  await noteVisit(workspaceId, userId, new Date(Date.now() - 3_600_000));
  await noteVisit(workspaceId, userId, new Date());
  await send(source, "good", { documentId: "doc_1" });
  await send(source, "bad", {});
  const ada = { workspaceId, by: { kind: "session" as const, sessionHash, userId, email, name: null } };
  expect(await readChanges(ada)).toMatchObject({ events: 2, openedIssues: 1, resolvedIssues: 0, refused: 0, connections: 0 });
  const [issue] = (await readOverview(workspaceId, new Date())).newestIssues;
  await moveIssue(workspaceId, issue?.id ?? "", "resolve", email);
  expect(await readChanges(ada)).toMatchObject({ openedIssues: 0, resolvedIssues: 1 });
  const other = await makeAccount();
  const eve = { workspaceId: other.workspaceId, by: { ...ada.by, userId: other.userId } };
  expect(await readChanges(eve)).toMatchObject({ since: null, events: 0 });
  expect(await readChanges({ workspaceId, by: { kind: "key", keyId: "key_1", name: "script" } })).toMatchObject({ since: null });
});

it("the overview names open issues by where they come from, and calls it well again when somebody looks after them", async () => {
  const { workspaceId, source } = await makeWorkspace();
  await send(source, "bad", {});
  await send(source, "error", { documentId: "doc_2", message: "too dark" }, "document.error");
  await pool().query("INSERT INTO worker_heartbeats (id) VALUES ('w') ON CONFLICT DO NOTHING");
  const overview = await readOverview(workspaceId, new Date());
  expect(overview).toMatchObject({ eventsToday: 2, failures: 1, openIssues: { processing: 1, platform: 1 }, lagMs: null });
  expect(overview.verdict.sentence).toBe("1 event could not be applied.");
  expect(overview.newestIssues.map(({ origin }) => origin).sort()).toEqual(["platform", "processing"]);
  expect(await readCounts(workspaceId, new Date())).toMatchObject({ openIssues: 2, pending: 0, needReconnect: 0 });
  for (const { id } of overview.newestIssues) await moveIssue(workspaceId, id, "acknowledge", "ada");
  const after = await readOverview(workspaceId, new Date());
  expect(after.verdict.level).toBe("fine");
  expect(after.verdict.sentence).toContain("1 failure looked after");
  expect((await readCounts(workspaceId, new Date())).openIssues).toBe(0);
});
