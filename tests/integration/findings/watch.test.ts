import { beforeAll, describe, expect, it } from "vitest";
import type { Finding, FindingRule, FindingState } from "#lib/contracts/findings";
import type { WorkspaceId } from "#lib/contracts/ids";
import type { LateStory, MissingStory } from "#lib/contracts/sandbox";
import { ensureSource } from "#lib/events/source-store";
import { countOpenFindings, dismissFinding, listFindings } from "#lib/findings/finding-store";
import { processEvents } from "#lib/flows/process-events";
import { receiveWebhook } from "#lib/flows/receive-webhook";
import { refreshDueConnections } from "#lib/flows/refresh-connection";
import { watchFindings } from "#lib/flows/watch-findings";
import { tellLateStory, tellMissingStory } from "#lib/sandbox/missing-stories";
import { freshSeed } from "#lib/sandbox/random";
import type { SandboxEnvelope } from "#lib/sandbox/stories";
import { useHostilePlatform } from "#tests/support/hostile-platform";
import { connect } from "#tests/support/platform-connection";
import { makeWorkspace, SECRET, sign } from "#tests/support/webhooks";

useHostilePlatform();
// What other files may have left is looked at once, before anything counts.
beforeAll(() => watchFindings());

async function send(source: string, envelopes: SandboxEnvelope[]): Promise<void> {
  for (const envelope of envelopes) {
    const body = JSON.stringify(envelope);
    const headers = { "x-webhook-signature": sign(body) };
    const answer = await receiveWebhook({ source, method: "POST", headers, body: Buffer.from(body), remoteAddress: null });
    expect(answer.status).toBe(200);
  }
  while ((await processEvents()) > 0);
}

const list = async (workspaceId: WorkspaceId, state: FindingState = "open"): Promise<Finding[]> =>
  (await listFindings(workspaceId, { state, limit: 50 })).data;

/** Two rounds of the watch: one that notes, and one after the time that a suspicion rests at least. */
async function watch(): Promise<void> {
  await watchFindings(new Date());
  await watchFindings(new Date(Date.now() + 16_000));
}

const missing = (story: MissingStory): SandboxEnvelope[] =>
  tellMissingStory(story, { seed: freshSeed(), now: Date.now() }).map(({ envelope }) => envelope);

const late = (story: LateStory, told: SandboxEnvelope[]): SandboxEnvelope[] =>
  tellLateStory(story, told.at(-1) ?? null, { seed: freshSeed(), now: Date.now() }).map(({ envelope }) => envelope);

const STORIES: [FindingRule, MissingStory, LateStory][] = [
  ["completed_never_created", "task_never_created", "task_created_late"],
  ["processed_never_uploaded", "upload_never_came", "upload_came_late"],
  ["run_without_end", "run_never_ends", "run_ends_late"],
  ["stage_never_entered", "stage_never_entered", "stage_entered_late"],
  ["source_silent", "source_falls_silent", "source_speaks_again"],
];

describe.each(STORIES)("%s", (rule, story, ending) => {
  it("is suspected when the sandbox tells its story, with the events that raise it, and closes by itself when the event comes", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing(story);
    await send(source, told);
    await watchFindings();
    expect(await list(workspaceId), "a suspicion rests before it is shown").toEqual([]);
    await watchFindings(new Date(Date.now() + 16_000));
    expect(await list(workspaceId)).toMatchObject([{ rule, suspected: true, state: "open", evidence: [told.at(-1)?.id] }]);
    expect(await countOpenFindings(workspaceId)).toBe(1);
    await send(source, late(ending, told));
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "closed")).toMatchObject([{ rule, closedAt: expect.any(String) }]);
  });

  it("says nothing when the whole story came, in whatever order", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing(story);
    await send(source, [...late(ending, told), ...told].reverse());
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "closed")).toEqual([]);
  });
});

describe("disconnected_yet_working", () => {
  it("is suspected when the access is renewed after the platform said that it ended, and closes when it is connected again", async () => {
    const { actor, connectionId } = await connect();
    const { workspaceId } = actor;
    const source = `source-${workspaceId.slice(-8).toLowerCase()}`;
    await ensureSource(workspaceId, source, SECRET);
    const told = missing("disconnected_yet_working");
    await send(source, told);
    await refreshDueConnections();
    await watch();
    expect(await list(workspaceId)).toMatchObject([
      { rule: "disconnected_yet_working", resource: { kind: "connection", id: connectionId }, evidence: [told[0]?.id] },
    ]);
    await send(source, late("connected_again", told));
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "closed")).toHaveLength(1);
  });
});

describe("a finding", () => {
  it("that is dismissed says by whom, stays so while nothing comes, and closes when it comes", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const told = missing("upload_never_came");
    await send(source, told);
    await watch();
    const [open] = await list(workspaceId);
    const dismissed = await dismissFinding(workspaceId, open?.id ?? "", "ada@example.com", new Date());
    expect(dismissed).toMatchObject({ state: "dismissed", dismissedBy: "ada@example.com", dismissedAt: expect.any(String) });
    await send(source, [{ id: "evt_again", type: "document.processed", created: told[0]?.created ?? 0, data: told[0]?.data ?? {} }]);
    await watch();
    expect(await list(workspaceId)).toEqual([]);
    expect(await list(workspaceId, "dismissed")).toHaveLength(1);
    await send(source, late("upload_came_late", told));
    await watch();
    expect(await list(workspaceId, "dismissed")).toEqual([]);
    expect(await list(workspaceId, "closed")).toHaveLength(1);
  });

  it("is nobody's of another workspace: not to see, not to dismiss", async () => {
    const { workspaceId, source } = await makeWorkspace();
    const other = await makeWorkspace();
    await send(source, missing("run_never_ends"));
    await watch();
    const [open] = await list(workspaceId);
    expect(await list(other.workspaceId)).toEqual([]);
    expect(await dismissFinding(other.workspaceId, open?.id ?? "", "eve", new Date())).toBeNull();
    expect(await list(workspaceId)).toHaveLength(1);
  });

  it("is found once by two watches at a time, page by page in a fixed order", async () => {
    const { workspaceId, source } = await makeWorkspace();
    for (let n = 0; n < 5; n += 1) await send(source, missing("upload_never_came"));
    await Promise.all([watchFindings(), watchFindings()]);
    const later = new Date(Date.now() + 16_000);
    await Promise.all([watchFindings(later), watchFindings(later)]);
    const all = await list(workspaceId);
    expect(all).toHaveLength(5);
    const first = await listFindings(workspaceId, { state: "open", limit: 3 });
    const second = await listFindings(workspaceId, { state: "open", limit: 3, cursor: first.nextCursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(second.nextCursor).toBeNull();
  });
});
