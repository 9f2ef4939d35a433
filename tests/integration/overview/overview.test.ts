import { expect, it, vi } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { findLastVisit, noteVisit } from "#lib/auth/session-store";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { changeIssueState } from "#lib/flows/issues/issues";
import { readChanges, readCounts } from "#lib/flows/overview/read-counts";
import { readOverview } from "#lib/flows/overview/read-overview";
import { diagnoseRound, readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { dismissQuarantined, restoreDismissed } from "#lib/flows/quarantine/quarantine";
import { makeAccount } from "#tests/support/account";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { drainInbox } from "#tests/support/log-writer";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

const MINUTE_MS = 60_000;

/** A worker gives a sign of life: after 20 s without one the overview says that it has stopped. */
const beat = () => pool().query("INSERT INTO worker_heartbeats (id) VALUES ('w') ON CONFLICT (id) DO UPDATE SET seen_at = now()");

async function send(source: string, id: string, data: Record<string, unknown>, type = "document.processed"): Promise<void> {
  expect((await receiver.send(source, signed(envelope({ id, type, data })))).status).toBe(200);
  await drainInbox();
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
  expect(await readChanges(ada)).toMatchObject({ events: 2, openedIssues: 1, resolvedIssues: 0, quarantined: 0, connections: 0 });
  const [issue] = (await readOverview(workspaceId, new Date())).newestIssues;
  await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), issue?.id ?? "", "resolve");
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
  await beat();
  const overview = await readOverview(workspaceId, new Date());
  expect(overview).toMatchObject({ eventsToday: 2, failures: 1, openIssues: { processing: 1, platform: 1 }, lagMs: null });
  expect(overview.verdict.sentence).toBe("1 event could not be applied.");
  expect(overview.newestIssues.map(({ origin }) => origin).sort()).toEqual(["platform", "processing"]);
  expect(await readCounts(workspaceId, new Date())).toMatchObject({ openIssues: 2, pending: 0, needReconnect: 0 });
  for (const { id } of overview.newestIssues)
    await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), id, "acknowledge");
  const after = await readOverview(workspaceId, new Date());
  expect(after.verdict.level).toBe("fine");
  expect(after.verdict.sentence).toContain("1 failure acknowledged");
  expect((await readCounts(workspaceId, new Date())).openIssues).toBe(0);
});

it("the headline counts the events of open issues only", async () => {
  const { workspaceId, source } = await makeWorkspace();
  for (const id of ["a", "b", "c"]) await send(source, id, {});
  await send(source, "d", {}, "task.created");
  await beat();
  const { data } = await listEvents(workspaceId, { state: ["failed"] }, { limit: 1, now: new Date() });
  expect(data[0]?.failedBecause).toMatch(/^task.created has no task ID/);
  const { verdict, newestIssues } = await readOverview(workspaceId, new Date());
  expect(verdict.sentence).toBe("4 events could not be applied.");
  const three = newestIssues.find(({ count }) => count === 3);
  await changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), three?.id ?? "", "ignore");
  expect(await readOverview(workspaceId, new Date())).toMatchObject({
    failures: 4,
    verdict: { level: "failed", sentence: "1 event could not be applied." },
  });
});

it("one stray scanner leaves all well; a request that reads as an event does not, until it is dismissed", async () => {
  const { workspaceId, source } = await makeWorkspace();
  await beat();
  await send(source, "good", { documentId: "doc_1" });
  expect((await receiver.send(source, { body: "probe=1" })).status).toBe(401);
  expect((await receiver.send(source, { body: "{}", headers: { "x-webhook-signature": "0".repeat(64) } })).status).toBe(401);
  const look = async () => {
    await beat();
    return readOverview(workspaceId, new Date());
  };
  const level = async () => (await look()).verdict.level;
  expect(await look()).toMatchObject({ quarantinedToday: 2, likelyGenuine: 0, verdict: { level: "fine" } });
  expect((await receiver.send(source, signed(envelope(), "another secret"))).status).toBe(401);
  expect((await receiver.send(source, signed("{}"))).status).toBe(202);
  expect((await look()).conditions).toMatchObject([
    {
      sentence: `${source}: 2 quarantined requests are likely from a real sender, by signature or body.`,
      action: { href: `/quarantine?source=${source}` },
    },
  ]);
  // A round has 0.2 s, which a busy machine may need for fewer.
  const diagnose = diagnoseRound();
  await vi.waitFor(async () => {
    await diagnose();
    expect((await readDiagnoses(workspaceId, {})).data.map(({ code }) => code)).not.toContain(null);
  }, 20_000);
  expect((await look()).conditions).toMatchObject([
    {
      sentence: `${source}: 1 request with a valid signature and an invalid event is in quarantine.`,
      action: { href: `/quarantine?source=${source}` },
    },
  ]);
  const { total, data } = await readDiagnoses(workspaceId, {});
  expect([total, (await readCounts(workspaceId, new Date())).quarantined]).toEqual([4, 4]);
  expect(data.map(({ code, count }) => [code, count])).toEqual([
    ["no_match", 2],
    ["invalid_envelope", 1],
    ["header_missing", 1],
  ]);
  const ada: Actor = { workspaceId, workspaceName: "w", role: "owner", by: { kind: "key", keyId: "key_1", name: "script" } };
  const { dismissed, dismissal } = await dismissQuarantined(contextOf(ada, { audit: noAudit }), {});
  expect([dismissed, await level()]).toEqual([4, "fine"]);
  expect((await readCounts(workspaceId, new Date())).quarantinedToday).toBe(0);
  expect(await restoreDismissed(contextOf(ada, { audit: noAudit }), { dismissal: dismissal ?? "" })).toEqual({ restored: 4 });
  expect(await level()).toBe("attention");
});
