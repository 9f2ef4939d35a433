import { describe, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { IssueAction } from "#lib/contracts/issues";
import { pool } from "#lib/db/pool";
import { listEvents } from "#lib/events/event-store";
import { changeIssueState, readIssue, readIssues } from "#lib/flows/issues/issues";
import { redeliverEvent, redeliverSet } from "#lib/flows/processing/redeliver-events";
import { contextOf } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { sendUntilKept } from "#tests/support/impatient-sender";
import { drainInbox } from "#tests/support/log-writer";
import { noAudit } from "#tests/support/no-audit";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

type World = Awaited<ReturnType<typeof makeWorkspace>>;

async function send({ source }: World, id: string, type: string, created: number, data: Record<string, unknown>): Promise<void> {
  expect((await sendUntilKept(receiver, source, signed(envelope({ id, type, created, data })))).status).toBe(200);
}

async function sendAndApply(world: World, id: string, type: string, created: number, data: Record<string, unknown>): Promise<void> {
  await send(world, id, type, created, data);
  await drainInbox();
}

async function issues(workspaceId: WorkspaceId) {
  return (await readIssues(workspaceId, {}, { limit: 50 }, new Date())).data;
}

async function onlyIssue(workspaceId: WorkspaceId) {
  const [first, ...rest] = await issues(workspaceId);
  if (!first || rest.length > 0) throw new Error(`${rest.length + (first ? 1 : 0)} issues instead of one`);
  return first;
}

async function redeliver({ workspaceId }: World, id: string): Promise<void> {
  await redeliverEvent(workspaceId, id, "ada@example.com");
  await drainInbox();
}

/** Teaches the reader, for the length of `work`, where these events keep their ids: the mend of a failure. */
async function whileMended({ workspaceId }: World, work: () => Promise<void>): Promise<void> {
  const { FIELD_NAMES } = await import("#lib/platform/field-names");
  const names = FIELD_NAMES.documentId as unknown as string[];
  names.push("strangeId");
  await work().finally(() => names.pop());
  expect(workspaceId).toBeTruthy();
}

const move = (workspaceId: WorkspaceId, id: string, action: IssueAction) =>
  changeIssueState(contextOf(ownerOf(workspaceId), { audit: noAudit }), id, action);

describe("issues of events that can't be applied", () => {
  it("group what failed the same way, keep other types apart, and count each event once however often it fails", async () => {
    const world = await makeWorkspace();
    for (const n of [1, 2, 3]) await send(world, `bad${n}`, "document.processed", n, { strangeId: "doc_1" });
    await sendAndApply(world, "other", "document.uploaded", 4, { strangeId: "doc_1" });
    const before = await issues(world.workspaceId);
    expect(before.map(({ type, count, failing, state }) => [type, count, failing, state]).sort()).toEqual([
      ["document.processed", 3, 3, "open"],
      ["document.uploaded", 1, 1, "open"],
    ]);
    await redeliver(world, "bad1");
    await redeliver(world, "bad1");
    const issue = (await issues(world.workspaceId)).find(({ type }) => type === "document.processed");
    expect(issue).toMatchObject({ origin: "processing", code: "missing_id", count: 3, failing: 3, sampleEventId: "bad1" });
    // A heading; where it was looked for stands below.
    expect(issue?.failure.what).toBe("document.processed has no document ID");
    expect(issue?.failure.why).toMatch(/ Checked: data\.documentId, .*\.$/);
    expect(issue?.lastDay.at(-1)).toBe(3);
    const events = await listEvents(world.workspaceId, { issue: [issue?.id ?? ""] }, { now: new Date(), limit: 10 });
    expect(events.data.map(({ id }) => id).sort()).toEqual(["bad1", "bad2", "bad3"]);
  });

  it("resolve by themselves when the last of their events succeeds, and not before", async () => {
    const world = await makeWorkspace();
    for (const n of [1, 2]) await sendAndApply(world, `bad${n}`, "document.processed", n, { strangeId: "doc_1" });
    await whileMended(world, async () => {
      await redeliver(world, "bad1");
      expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "open", count: 2, failing: 1 });
      const { id } = await onlyIssue(world.workspaceId);
      await redeliverSet(
        world.workspaceId,
        { filter: { issue: [id], state: ["failed"] } },
        { now: new Date(), name: null, dryRun: false, requestedBy: "ada" },
      );
      await drainInbox();
    });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "resolved", stateBy: null, count: 2, failing: 0 });
  });

  it("open again when the failure recurs: by a new event, and by an old one that fails again", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "bad1", "document.processed", 1, { strangeId: "doc_1" });
    await whileMended(world, () => redeliver(world, "bad1"));
    expect((await onlyIssue(world.workspaceId)).state).toBe("resolved");
    await sendAndApply(world, "bad2", "document.processed", 2, { strangeId: "doc_1" });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "open", count: 2, failing: 1, stateBy: null });
    const { id } = await onlyIssue(world.workspaceId);
    await move(world.workspaceId, id, "resolve");
    await redeliver(world, "bad2");
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "open", count: 2, failing: 1 });
  });

  it("stay acknowledged and ignored when they recur; an ignored one is not resolved by itself", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "bad1", "document.processed", 1, { strangeId: "doc_1" });
    const { id } = await onlyIssue(world.workspaceId);
    await move(world.workspaceId, id, "acknowledge");
    await sendAndApply(world, "bad2", "document.processed", 2, { strangeId: "doc_1" });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "acknowledged", stateBy: "ada@example.com", failing: 2 });
    await move(world.workspaceId, id, "ignore");
    await sendAndApply(world, "bad3", "document.processed", 3, { strangeId: "doc_1" });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "ignored", failing: 3 });
    await whileMended(world, async () => {
      for (const n of [1, 2, 3]) await redeliver(world, `bad${n}`);
    });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ state: "ignored", failing: 0 });
  });

  it("are left by an event that now fails another way", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "bad1", "document.processed", 1, { strangeId: "doc_1" });
    const first = await onlyIssue(world.workspaceId);
    await pool().query("UPDATE issues SET id = 'iss_of_yesterday', place = 'said otherwise' WHERE id = $1", [first.id]);
    await pool().query("UPDATE issue_events SET issue_id = 'iss_of_yesterday' WHERE issue_id = $1", [first.id]);
    await redeliver(world, "bad1");
    const states = (await issues(world.workspaceId)).map(({ id, state, failing }) => [id, state, failing]);
    expect(states).toContainEqual(["iss_of_yesterday", "resolved", 0]);
    expect(states).toContainEqual([first.id, "open", 1]);
  });

  it("count an event once that waits twice in one batch", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "bad1", "document.processed", 1, { strangeId: "doc_1" });
    await redeliverEvent(world.workspaceId, "bad1", "ada");
    await redeliverEvent(world.workspaceId, "bad1", "eve");
    await drainInbox();
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ count: 1, failing: 1 });
    const { rows } = await pool().query("SELECT count(*) AS n FROM attempts WHERE workspace_id = $1", [world.workspaceId]);
    expect(rows).toEqual([{ n: 3 }]);
  });

  it("are written once when four workers meet the same failures", { tags: ["deep"] }, async () => {
    const world = await makeWorkspace();
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => send(world, `w${n}`, n % 2 === 0 ? "document.processed" : "document.uploaded", n, {})),
    );
    await Promise.all([drainInbox(), drainInbox(), drainInbox(), drainInbox()]);
    expect((await issues(world.workspaceId)).map(({ count, failing }) => [count, failing])).toEqual([
      [100, 100],
      [100, 100],
    ]);
  });
});

describe("issues of failures that the platform reports", () => {
  const error = { error: { code: "unreadable", message: "The scan is too dark." } };

  it("are a kind of their own, grouped by the platform's code, and resolved when the same document is processed", async () => {
    const world = await makeWorkspace();
    await send(world, "e1", "document.error", 10, { documentId: "doc_1", ...error });
    await sendAndApply(world, "e2", "document.error", 11, { documentId: "doc_2", ...error });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({
      origin: "platform",
      code: "unreadable",
      count: 2,
      failing: 2,
      state: "open",
    });
    expect((await onlyIssue(world.workspaceId)).failure.what).toBe("Document processing failed: The scan is too dark.");
    await sendAndApply(world, "p1", "document.processed", 12, { documentId: "doc_1" });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ failing: 1, state: "open" });
    await sendAndApply(world, "p2", "document.processed", 12, { documentId: "doc_2" });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ failing: 0, state: "resolved" });
  });

  it("do not recur when their event is re-delivered", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "e1", "document.error", 10, { documentId: "doc_1", ...error });
    await sendAndApply(world, "p1", "document.processed", 12, { documentId: "doc_1" });
    await redeliver(world, "e1");
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ count: 1, failing: 0, state: "resolved" });
  });

  it("are over from the start when the success was applied first: no order of events is promised", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "p1", "document.processed", 12, { documentId: "doc_1" });
    await sendAndApply(world, "e1", "document.error", 10, { documentId: "doc_1", ...error });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ count: 1, failing: 0, state: "resolved" });
    await sendAndApply(world, "e2", "document.error", 20, { documentId: "doc_1", ...error });
    expect(await onlyIssue(world.workspaceId)).toMatchObject({ count: 2, failing: 1, state: "open" });
  });

  it("keep automations apart, and end when the same automation completes another run", async () => {
    const world = await makeWorkspace();
    await send(world, "a1", "automation.error", 10, { automationId: "auto_1", runId: "run_1", ...error });
    await send(world, "a2", "automation.error", 10, { automationId: "auto_2", runId: "run_2", ...error });
    await sendAndApply(world, "a3", "automation.completed", 11, { automationId: "auto_1", runId: "run_3" });
    expect((await issues(world.workspaceId)).map(({ place, state }) => [place, state]).sort()).toEqual([
      ["automation:auto_1", "resolved"],
      ["automation:auto_2", "open"],
    ]);
  });

  it("end for an integration when it renews its access", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "i1", "integration.error", 10, { integrationId: "int_1", ...error });
    await sendAndApply(world, "i2", "integration.token_refresh", 9, { integrationId: "int_1" });
    expect((await onlyIssue(world.workspaceId)).state).toBe("open");
    await sendAndApply(world, "i3", "integration.token_refresh", 10, { integrationId: "int_1" });
    expect((await onlyIssue(world.workspaceId)).state).toBe("resolved");
  });
});

describe("an issue", () => {
  it("takes the steps that people ask for, and refuses those that change nothing", async () => {
    const world = await makeWorkspace();
    await sendAndApply(world, "bad1", "document.processed", 1, {});
    const { id } = await onlyIssue(world.workspaceId);
    expect(await move(world.workspaceId, id, "acknowledge")).toMatchObject({
      state: "acknowledged",
      actions: ["resolve", "ignore", "reopen"],
    });
    await expect(move(world.workspaceId, id, "acknowledge")).rejects.toMatchObject({ code: "conflict" });
    expect((await readIssue(world.workspaceId, id, new Date()))?.state).toBe("acknowledged");
  });
});
