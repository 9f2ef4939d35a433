import { beforeAll, describe, expect, it, test } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { MissingEvent, MissingEventRule, MissingEventState } from "#lib/contracts/missing-events";
import type { LateScenario, MissingScenario } from "#lib/contracts/sandbox";
import { pool } from "#lib/db/pool";
import { refreshDueConnections } from "#lib/flows/connections/refresh-connection";
import { createReceiver } from "#lib/flows/ingest/receiver";
import { detectMissingEvents } from "#lib/flows/missing-events/detect-missing-events";
import { countOpenMissingEvents, dismissMissingEvent, listMissingEvents } from "#lib/missing-events/missing-event-store";
import { freshSeed } from "#lib/sandbox/payloads";
import { buildLateScenario, buildMissingScenario, type SandboxEnvelope } from "#lib/sandbox/scenarios";
import { ensureSource } from "#lib/sources/source-store";
import { systemClock } from "#lib/time/clock";
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

describe("disconnected_yet_working", () => {
  it("is suspected when the access is renewed after the platform said that it ended, and closes when it is connected again", async () => {
    const { actor, connectionId } = await connect();
    const { workspaceId } = actor;
    const source = `source-${workspaceId.slice(-8).toLowerCase()}`;
    await ensureSource(workspaceId, source, SECRET, { now: new Date() });
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
