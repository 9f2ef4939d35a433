import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { listAudit } from "#lib/auth/audit/audit-store";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEvent, MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";
import type { LateScenario, MissingScenario } from "#lib/contracts/sandbox";
import { pool } from "#lib/db/pool";
import { refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { dismissMatching, readRules, restoreMatching, snoozeMatching } from "#lib/flows/missing-events/manage-missing-events";
import { countOpenMissingEvents, dismissMissingEvent, listMissingEvents } from "#lib/missing-events/missing-event-store";
import { freshSeed } from "#lib/sandbox/payloads";
import { buildLateScenario, buildMissingScenario, type SandboxEnvelope } from "#lib/sandbox/scenarios";
import { ensureSource } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
import { contextOf } from "#tests/support/context";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { drainInbox } from "#tests/support/log-writer";
import { connect } from "#tests/support/platform-connection";
import { receiveUntilKept } from "#tests/support/receive-until-kept";
import { makeWorkspace, SECRET, sign } from "#tests/support/webhooks";

useHostilePlatform();
// Data that other files may have left is checked once, before anything counts.
beforeAll(() => detectMissingEvents());

let latest = 0;
/** Never tells the same millisecond twice: of two events that came in one of them, none is the last. */
const ticking = {
  ...systemClock,
  now: () => {
    latest = Math.max(Date.now(), latest + 1);
    return latest;
  },
};

async function send(source: string, envelopes: SandboxEnvelope[]): Promise<void> {
  const receiver = createReceiver({ clock: ticking });
  for (const envelope of envelopes) {
    const body = JSON.stringify(envelope);
    const headers = { "x-webhook-signature": sign(body) };
    const answer = await receiveUntilKept(receiver, { source, headers, body });
    expect(answer.status).toBe(200);
  }
  await drainInbox();
}

const list = async (workspaceId: WorkspaceId, state: MissingEventState = "open"): Promise<MissingEvent[]> =>
  (await listMissingEvents(workspaceId, { state }, { limit: 50 })).data;

/** Two rounds of the watch, `after` milliseconds: one that notes, and one after the time that a missing event waits at least. */
async function watch(after = 0): Promise<void> {
  await detectMissingEvents(new Date(Date.now() + after));
  await detectMissingEvents(new Date(Date.now() + after + 16_000));
}

type World = Awaited<ReturnType<typeof makeWorkspace>>;

const HOUR_MS = 3_600_000;
const actorOf = ({ workspaceId }: World): Actor => ({
  workspaceId,
  workspaceName: "Acme",
  role: "developer",
  by: { kind: "key", keyId: "key_1", name: "script" },
});

/** Sends one event. */
const tell = (source: string, type: string, data: Record<string, unknown>, created: number, id = `evt_${randomUUID()}`) =>
  send(source, [{ id, type, created, data }]);

const at = (ms: number) => detectMissingEvents(new Date(Date.now() + ms));
const long = () => Math.floor((Date.now() - HOUR_MS) / 1000);

/** Two runs that never end and a document that was never uploaded, all of them suspected. */
async function suspected(): Promise<World> {
  const world = await makeWorkspace();
  for (const n of [1, 2]) await tell(world.source, "automation.triggered", { automationId: "aut_1", runId: `run_${n}` }, long());
  await tell(world.source, "document.processed", { documentId: "doc_1", organizationId: "org_1", status: "x", metadata: {} }, long());
  await watch();
  return world;
}

/** The sandbox's source is silent for longer than usual after 10 minutes. */
const SILENT_MS = 610_000;

const missing = (scenario: MissingScenario): SandboxEnvelope[] =>
  buildMissingScenario(scenario, { seed: freshSeed(), now: Date.now() }).map(({ envelope }) => envelope);

const late = (scenario: LateScenario, told: SandboxEnvelope[]): SandboxEnvelope[] =>
  buildLateScenario(scenario, told.at(-1) ?? null, { seed: freshSeed(), now: Date.now() }).map(({ envelope }) => envelope);

const SCENARIOS: [MissingEventRule, MissingScenario, LateScenario][] = [
  ["completed_never_created", "task_never_created", "task_created_late"],
  ["processed_never_uploaded", "upload_never_received", "upload_received_late"],
  ["run_without_end", "run_never_ends", "run_ends_late"],
  ["stage_never_entered", "stage_never_entered", "stage_entered_late"],
  ["source_silent", "source_stops_sending", "source_resumes_sending"],
];

describe.each(SCENARIOS)("%s", (rule, scenario, ending) => {
  it("is suspected when the sandbox tells its scenario, with the events that raise it, and closes automatically when the event comes", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing(scenario);
    await send(source, told);
    const after = rule === "source_silent" ? SILENT_MS : 0;
    await detectMissingEvents(new Date(Date.now() + after));
    expect(await list(workspaceId), "a missing event waits before it is shown").toEqual([]);
    await detectMissingEvents(new Date(Date.now() + after + 16_000));
    expect(await list(workspaceId)).toMatchObject([{ rule, suspected: true, state: "open", evidence: [told.at(-1)?.id] }]);
    expect(await countOpenMissingEvents(workspaceId)).toBe(1);
    await send(source, late(ending, told));
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await countOpenMissingEvents(workspaceId)).toBe(0);
    expect(await list(workspaceId, "closed")).toMatchObject([{ rule, closedAt: expect.any(String) }]);
  });

  it("says nothing when the whole scenario came, in whatever order", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing(scenario);
    await send(source, [...late(ending, told), ...told].reverse());
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "closed")).toEqual([]);
  });
});

test.each(["archived_at", "paused_at"])("a source that receives nothing because of %s is not called silent", async (since) => {
  const { workspaceId, source, sourceId } = await makeWorkspace();
  await send(source, missing("source_stops_sending"));
  await pool().query(`UPDATE sources SET ${since} = now() WHERE id = $1`, [sourceId]);
  await watch(SILENT_MS);
  expect(await list(workspaceId)).toEqual([]);
});

/** A connection, and a source of its workspace. */
async function connected() {
  const { actor, connectionId } = await connect();
  const { workspaceId } = actor;
  const source = `source-${workspaceId.slice(-8).toLowerCase()}`;
  await ensureSource(workspaceId, source, SECRET, { now: new Date() });
  return { workspaceId, connectionId, source };
}

describe("disconnected_yet_working", () => {
  it.each([
    ["names another integration", { integrationId: "int_drive", provider: "google_drive" }],
    ["names another account", { integrationId: "int_drive", provider: "google_drive", account: "inbox@other.example" }],
    ["names a provider alone", { provider: "dropbox" }],
  ])("is not suspected of our connection by a disconnect that %s", async (_, data) => {
    const { workspaceId, source } = await connected();
    await tell(source, "integration.disconnected", data, Math.floor(Date.now() / 1000));
    await refreshDueConnections();
    await watch();
    expect(await list(workspaceId)).toEqual([]);
  });

  it("is suspected when the access is renewed after the platform said that it ended, and closes when it is connected again", async () => {
    const { workspaceId, connectionId, source } = await connected();
    const told = missing("disconnected_yet_working");
    await pool().query("UPDATE connections SET account = $2 WHERE id = $1", [connectionId, told[0]?.data.account]);
    await send(source, told);
    await refreshDueConnections();
    await watch();
    expect(await list(workspaceId)).toMatchObject([
      { rule: "disconnected_yet_working", resource: { kind: "connection", id: connectionId }, evidence: [told[0]?.id] },
    ]);
    await send(source, late("reconnected_late", told));
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "closed")).toHaveLength(1);
  });
});

describe("a missing event", () => {
  it("that is dismissed says by whom, stays so while nothing comes, and closes when it comes", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing("upload_never_received");
    await send(source, told);
    await watch();
    const [open] = await list(workspaceId);
    const dismissed = await dismissMissingEvent(workspaceId, open?.id ?? "", "ada@example.com", new Date());
    const dismissal = { state: "dismissed", dismissedBy: "ada@example.com", dismissedAt: expect.any(String) };
    expect(dismissed).toMatchObject({ dismissed: true, missingEvent: dismissal });
    await send(source, [{ id: "evt_again", type: "document.processed", created: told[0]?.created ?? 0, data: told[0]?.data ?? {} }]);
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "dismissed")).toHaveLength(1);
    await send(source, late("upload_received_late", told));
    await watch();
    expect(await list(workspaceId, "dismissed")).toEqual([]);
    expect(await list(workspaceId, "closed")).toHaveLength(1);
  });

  it("is found once by two watches at a time, page by page in a fixed order", async () => {
    const { workspaceId, source } = await makeWorkspace();
    for (let n = 0; n < 5; n += 1) await send(source, missing("upload_never_received"));
    await Promise.all([detectMissingEvents(), detectMissingEvents()]);
    const later = new Date(Date.now() + 16_000);
    await Promise.all([detectMissingEvents(later), detectMissingEvents(later)]);
    const all = await list(workspaceId);
    expect(all).toHaveLength(5);
    const first = await listMissingEvents(workspaceId, {}, { limit: 3 });
    const second = await listMissingEvents(workspaceId, {}, { limit: 3, cursor: first.nextCursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(second.nextCursor).toBeNull();
  });
});

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
    await tell(world.source, "automation.completed", { automationId: "aut_1", runId: "run_1" }, long() + 60);
    await at(HOUR_MS / 2);
    expect((await list(world.workspaceId, "closed")).map(({ resource }) => resource.id)).toEqual(["run_1"]);
    await at(HOUR_MS + 16_000);
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
    await tell(world.source, "document.processed", again, long() + 120, "evt_happened_again");
    await watch();
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
      await tell(world.source, type, data, long() + seconds);
      await watch();
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
