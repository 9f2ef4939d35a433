import { beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { listAudit } from "#lib/auth/audit/audit-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEventState } from "#lib/contracts/missing-events";
import { refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { dismissMatching, readRules, restoreMatching, snoozeMatching } from "#lib/flows/missing-events/manage-missing-events";
import { listMissingEvents } from "#lib/missing-events/missing-event-store";
import { ensureSource } from "#lib/sources/source-store";
import { contextOf } from "#tests/support/context";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { drainInbox } from "#tests/support/log-writer";
import { connect } from "#tests/support/platform-connection";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, makeWorkspace, SECRET, signed } from "#tests/support/webhooks";

useHostilePlatform();
const receiver = useNodeReceiver();
// Data that other files may have left is checked once, before anything counts.
beforeAll(() => detectMissingEvents());

type World = Awaited<ReturnType<typeof makeWorkspace>>;

const HOUR_MS = 3_600_000;
const actorOf = ({ workspaceId }: World): Actor => ({
  workspaceId,
  workspaceName: "Acme",
  role: "developer",
  by: { kind: "key", keyId: "key_1", name: "script" },
});

async function send(source: string, type: string, data: Record<string, unknown>, created: number, id?: string): Promise<void> {
  const body = envelope({ type, data, created, ...(id && { id }) });
  expect((await receiver.send(source, signed(body))).status).toBe(200);
}

const at = (ms: number) => detectMissingEvents(new Date(Date.now() + ms));
const SETTLED = 16_000;
const long = () => Math.floor((Date.now() - HOUR_MS) / 1000);

/** Two runs that never end and a document that was never uploaded, all of them suspected. */
async function suspected(): Promise<World> {
  const world = await makeWorkspace();
  for (const n of [1, 2]) await send(world.source, "automation.triggered", { automationId: "aut_1", runId: `run_${n}` }, long());
  await send(world.source, "document.processed", { documentId: "doc_1", organizationId: "org_1", status: "x", metadata: {} }, long());
  await drainInbox();
  await at(0);
  await at(SETTLED);
  return world;
}

const list = async (workspaceId: WorkspaceId, state: MissingEventState = "open") =>
  (await listMissingEvents(workspaceId, { state }, { limit: 50 })).data;

describe("missing events", () => {
  it("are counted by rule, dismissed by rule, and come back with the undo", async () => {
    const world = await suspected();
    const actor = actorOf(world);
    const rules = await readRules(world.workspaceId);
    expect([rules.total, rules.data.map(({ rule, count }) => [rule, count])]).toEqual([
      3,
      [
        ["run_without_end", 2],
        ["processed_never_uploaded", 1],
      ],
    ]);
    const { count, dismissal } = await dismissMatching(contextOf(actor), { rule: "run_without_end" });
    expect(count).toBe(2);
    expect((await list(world.workspaceId)).map(({ rule }) => rule)).toEqual(["processed_never_uploaded"]);
    const stranger = await makeWorkspace();
    expect(await restoreMatching(contextOf(actorOf(stranger)), { dismissal: dismissal ?? "" })).toEqual({ restored: 0 });
    expect(await restoreMatching(contextOf(actor), { dismissal: dismissal ?? "" })).toEqual({ restored: 2 });
    expect((await list(world.workspaceId))[0]?.dismissedBy).toBeNull();
    expect((await readRules(world.workspaceId)).total).toBe(3);
    expect(await dismissMatching(contextOf(actor), { rule: "source_silent" })).toEqual({ count: 0, dismissal: null });
    const { data } = await listAudit(world.workspaceId, {}, { limit: 5 });
    expect(data.map(({ action }) => action)).toEqual(["missing_event.restored", "missing_event.dismissed"]);
  });

  it("that are snoozed for an hour are shown again after it, and close meanwhile when the event arrives", async () => {
    const world = await suspected();
    const actor = actorOf(world);
    expect((await snoozeMatching(contextOf(actor), {}, "1h")).count).toBe(3);
    await at(HOUR_MS / 2);
    expect(await list(world.workspaceId)).toEqual([]);
    expect((await list(world.workspaceId, "snoozed"))[0]).toMatchObject({ snoozedBy: "key script", snoozedUntil: expect.any(String) });
    await send(world.source, "automation.completed", { automationId: "aut_1", runId: "run_1" }, long() + 60);
    await drainInbox();
    await at(HOUR_MS / 2);
    expect((await list(world.workspaceId, "closed")).map(({ resource }) => resource.id)).toEqual(["run_1"]);
    await at(HOUR_MS + SETTLED);
    expect((await list(world.workspaceId)).map(({ resource }) => resource.id).sort()).toEqual(["doc_1", "run_2"]);
    expect((await list(world.workspaceId))[0]).toMatchObject({ snoozedBy: null, snoozedUntil: null });
  });

  it("that are snoozed until they happen again stay so for days, and return with a new event that raises them", async () => {
    const world = await suspected();
    const actor = actorOf(world);
    await snoozeMatching(contextOf(actor), { rule: "processed_never_uploaded" }, "recurrence");
    await at(72 * HOUR_MS);
    expect((await list(world.workspaceId, "snoozed")).map(({ resource }) => resource.id)).toEqual(["doc_1"]);
    const again = { documentId: "doc_1", organizationId: "org_1", status: "y", metadata: {} };
    await send(world.source, "document.processed", again, long() + 120, "evt_happened_again");
    await drainInbox();
    await at(0);
    await at(SETTLED);
    const open = (await list(world.workspaceId)).find(({ resource }) => resource.id === "doc_1");
    expect(open).toMatchObject({ state: "open", evidence: ["evt_happened_again"] });
  });

  const moved = (taskId: string, fromStage: string, stage: string) => ({ taskId, pipelineId: "pip_1", fromStage, toStage: stage });

  it.each([
    ["snoozed until they happen again", (actor: Actor) => snoozeMatching(contextOf(actor), {}, "recurrence")],
    ["dismissed", (actor: Actor) => dismissMatching(contextOf(actor), {})],
  ])("that are %s return when one more stage was never entered, and not when one fewer is", async (_, setAside) => {
    const world = await makeWorkspace();
    const hear = async (type: string, data: Record<string, unknown>, seconds: number) => {
      await send(world.source, type, data, long() + seconds);
      await drainInbox();
      await at(0);
      await at(SETTLED);
      return (await list(world.workspaceId)).map(({ why }) => /The stages? .*/.exec(why)?.[0]);
    };
    await hear("task.created", { taskId: "t", pipelineId: "pip_1", stage: "Inbox" }, 0);
    await hear("pipeline.stage_changed", moved("t", "Review", "Approval"), 10);
    expect(await hear("pipeline.stage_changed", moved("t", "Payment", "Done"), 20)).toEqual(["The stages are “Review” and “Payment”."]);
    await setAside(actorOf(world));
    expect(await hear("pipeline.stage_changed", moved("t", "Inbox", "Review"), 5)).toEqual([]);
    expect(await hear("pipeline.stage_changed", moved("t", "Archive", "Inbox"), 30)).toEqual(["The stages are “Payment” and “Archive”."]);
  });
});

describe("disconnected_yet_working", () => {
  it.each([
    ["names another integration", { integrationId: "int_drive", provider: "google_drive" }],
    ["names another account", { integrationId: "int_drive", provider: "google_drive", account: "inbox@other.example" }],
    ["names a provider alone", { provider: "dropbox" }],
  ])("is not suspected of our connection by a disconnect that %s", async (_, data) => {
    const { actor } = await connect();
    const source = `source-${actor.workspaceId.slice(-8).toLowerCase()}`;
    await ensureSource(actor.workspaceId, source, SECRET, { now: new Date() });
    await send(source, "integration.disconnected", data, Math.floor(Date.now() / 1000));
    await drainInbox();
    await refreshDueConnections();
    await at(0);
    await at(SETTLED);
    expect(await list(actor.workspaceId)).toEqual([]);
  });
});
