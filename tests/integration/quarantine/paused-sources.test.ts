import { describe, expect, it, vi } from "vitest";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { applyRetention } from "#lib/flows/events/retention";
import { readOverview } from "#lib/flows/overview/read-overview";
import { diagnoseRound, readDiagnoses } from "#lib/flows/quarantine/diagnoses";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { runReleases } from "#lib/flows/quarantine/release-quarantined";
import { changeSource, createSource } from "#lib/flows/sources/manage-sources";
import { readSource } from "#lib/flows/sources/read-sources";
import { startLoop } from "#tests/support/background-loop";
import { unaudited } from "#tests/support/context";
import { useDatabase } from "#tests/support/database";
import { ownerOf } from "#tests/support/forwarding/destinations";
import { beginWith, untilBlocked } from "#tests/support/other-session";
import { useNodeReceiver } from "#tests/support/receivers";
import { envelope, eventIdsOf, makeWorkspace, SECRET, signed } from "#tests/support/webhooks";

useDatabase();
const receiver = useNodeReceiver();

type Made = { workspaceId: WorkspaceId; source: string; sourceId: SourceId };

const pause = async ({ workspaceId, sourceId }: Made, paused: boolean) => {
  await changeSource(unaudited(ownerOf(workspaceId)), sourceId, { paused });
};
const send = async ({ source }: Made, id: string) => {
  const answer = await receiver.send(source, signed(envelope({ id })));
  return [answer.status, await answer.json()];
};
const HELD = [202, { received: true, quarantined: "source_paused" }];

describe("a paused source", () => {
  it("holds what verifies, tells how much, and releases it in order when it is resumed", async () => {
    const made = await makeWorkspace();
    await pause(made, true);
    for (const id of ["a", "b", "c"]) expect(await send(made, id)).toEqual(HELD);
    expect((await receiver.send(made.source, { body: "{}" })).status).toBe(401);
    expect(await eventIdsOf(made.workspaceId)).toEqual([]);
    expect(await readSource(made.workspaceId, made.sourceId)).toMatchObject({ pausedAt: expect.any(String), held: 3 });
    const { conditions, likelyGenuine } = await readOverview(made.workspaceId, new Date());
    expect(conditions.map(({ sentence }) => sentence)).toContain(`${made.source} is paused: 3 requests are held.`);
    expect(likelyGenuine).toBe(0); // what a person holds asks for nobody's look
    await pause(made, false);
    const worker = startLoop(runReleases);
    await vi.waitFor(async () => expect(await eventIdsOf(made.workspaceId)).toEqual(["a", "b", "c"]), 30_000);
    await worker.stop();
    expect(await readSource(made.workspaceId, made.sourceId)).toMatchObject({ pausedAt: null, held: 0 });
    expect((await send(made, "d"))[0]).toBe(200);
    // Nothing was held: there is nothing to release.
    await pause(made, true);
    await pause(made, false);
    const { rows } = await pool().query("SELECT kind FROM operations WHERE workspace_id = $1", [made.workspaceId]);
    expect(rows).toEqual([{ kind: "release" }]);
  });

  it("that is resumed and paused again releases what it held before, and holds what comes afterwards", async () => {
    const made = await makeWorkspace();
    await pause(made, true);
    for (const id of ["a", "b"]) expect(await send(made, id)).toEqual(HELD);
    await pause(made, false);
    await pause(made, true);
    await new Promise((resolve) => setTimeout(resolve, 5)); // a receipt of the same millisecond counts as before
    for (const id of ["c", "d"]) expect(await send(made, id)).toEqual(HELD);
    const worker = startLoop(runReleases);
    await vi.waitFor(async () => {
      const { rows } = await pool().query("SELECT state FROM operations WHERE workspace_id = $1", [made.workspaceId]);
      expect(rows).toEqual([{ state: "done" }]);
    }, 30_000);
    await worker.stop();
    expect(await eventIdsOf(made.workspaceId)).toEqual(["a", "b"]);
    expect(await readSource(made.workspaceId, made.sourceId)).toMatchObject({ held: 2 });
  });

  it("is resumed while another's release waits or runs: both release all they hold", async () => {
    const first = await makeWorkspace();
    const { name, id } = await createSource(unaudited(ownerOf(first.workspaceId)), {
      name: `second-${first.source}`,
      template: "platform",
      secret: SECRET,
    });
    const second = { ...first, source: name, sourceId: id as SourceId };
    for (const made of [first, second]) await pause(made, true);
    for (const made of [first, second]) expect(await send(made, `of_${made.source}`)).toEqual(HELD);
    await Promise.all([first, second].map((made) => pause(made, false)));
    for (const made of [first, second]) expect(await readSource(made.workspaceId, made.sourceId)).toMatchObject({ pausedAt: null });
    for (let workers = 0; workers < 2; workers += 1) startLoop(runReleases);
    await vi.waitFor(async () => expect(await eventIdsOf(first.workspaceId)).toHaveLength(2), 30_000);
  });

  it("keeps what it holds beyond the workspace's retention, until somebody dismisses it", async () => {
    const made = await makeWorkspace();
    await pause(made, true);
    await send(made, "old");
    await receiver.send(made.source, signed("{}")); // no event: it leaves in time
    await pool().query("UPDATE quarantine SET received_at = now() - interval '200 days' WHERE workspace_id = $1", [made.workspaceId]);
    await applyRetention();
    expect((await readQuarantine(made.workspaceId, {}, { limit: 5 }, new Date())).data).toMatchObject([{ reason: "source_paused" }]);
    await pool().query("UPDATE quarantine SET dismissed_at = now() WHERE workspace_id = $1", [made.workspaceId]);
    await applyRetention();
    expect((await readQuarantine(made.workspaceId, {}, { limit: 5 }, new Date())).data).toEqual([]);
  });

  it("holds nothing after it was resumed, although a receiver has not heard of that yet", async () => {
    const made = await makeWorkspace();
    await pause(made, true);
    expect(await send(made, "before")).toEqual(HELD);
    const resuming = await beginWith("UPDATE sources SET paused_at = NULL WHERE id = $1", [made.sourceId]);
    const sent = send(made, "meanwhile");
    await untilBlocked("%FOR SHARE");
    await resuming.end();
    expect(await sent).toMatchObject([200, { id: "meanwhile" }]);
    expect(await eventIdsOf(made.workspaceId)).toEqual(["meanwhile"]);
  });

  it("explains in quarantine what it holds", async () => {
    const made = await makeWorkspace();
    await pause(made, true);
    await send(made, "a");
    const [held] = (await readQuarantine(made.workspaceId, {}, { limit: 1 }, new Date())).data;
    expect(held).toMatchObject({ verified: true, verdict: "It arrived while its source was paused.", diagnosis: { verifiesNow: true } });
    await diagnoseRound({ spendMs: 60_000 })();
    expect((await readDiagnoses(made.workspaceId, {})).data).toMatchObject([
      { code: "source_paused", count: 1, releasable: 1, likelyReal: false, title: "held because the source was paused" },
    ]);
  });
});
