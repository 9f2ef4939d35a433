import { afterEach, expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { prisma } from "#lib/db/prisma";
import { runRetries } from "#lib/flows/forwarding/deliveries";
import { runReleases } from "#lib/flows/quarantine/release-quarantined";
import { runRebuilds } from "#lib/flows/views/rebuild-views";
import { beat, claimOperation, findOperation, finishOperation, insertOperation, type StoredKind } from "#lib/operations/operation-store";
import { useDatabase } from "#tests/support/database";
import { makeDestination } from "#tests/support/forwarding/destinations";
import { until } from "#tests/support/forwarding/senders";
import { append, drainInbox } from "#tests/support/log-writer";
import { pauseBefore, useStatements } from "#tests/support/statements";
import { envelope, makeWorkspace, sign } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });
useStatements();

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

const RUN = { retry: runRetries, release: runReleases, rebuild: runRebuilds };

/**
 * A worker begins an operation and waits before a statement for longer than a minute. Another takes the operation
 * over, does `meanwhile` and ends it; then the first goes on.
 *
 * @returns how the operation stands when the first has given up
 */
async function takeOver(
  workspaceId: WorkspaceId,
  operation: { kind: keyof typeof RUN & StoredKind; input?: object },
  { at, meanwhile = async () => undefined }: { at: RegExp; meanwhile?: () => Promise<unknown> },
) {
  const pause = pauseBefore(at);
  const { id } = (await insertOperation(workspaceId, { requestedBy: "ada@example.com", ...operation })).operation;
  const stopping = new AbortController();
  const running = RUN[operation.kind](stopping.signal);
  stop = async () => {
    stopping.abort();
    pause.release();
    await running;
  };
  await pause.reached;
  const silent = () => pool().query("UPDATE operations SET beat_at = now() - interval '61 seconds' WHERE id = $1", [id]);
  const claim = async () => {
    await silent();
    return claimOperation(operation.kind, "another worker");
  };
  await until(claim, (claimed) => claimed !== null);
  await meanwhile();
  await beat(id, "another worker", { done: 3, total: 3, counts: { done: 3 }, checkpoint: { place: "the end" } });
  await finishOperation(id, "another worker", { outcome: "finished" });
  await stop();
  return findOperation(workspaceId, id);
}

const ENDED = { state: "finished", done: 3, counts: { done: 3 }, failure: null };

it("a retry that was taken over sends nothing again that its successor has sent", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const { id } = await makeDestination(workspaceId, { url: "http://127.0.0.1:9999/" });
  await append(workspaceId, sourceId, [{ eventId: "evt_1", type: "task.created", created: 1, data: { taskId: "task_1" } }]);
  await drainInbox();
  const deliveries = "UPDATE forward_deliveries SET state = 'delivered', finished_at = now()";
  await pool().query(`${deliveries} WHERE destination_id = $1`, [id]);
  const input = { filter: { state: ["delivered"] }, until: new Date().toISOString() };
  // A delivery that the successor has sent again has been delivered since: it matches once more.
  const meanwhile = () => pool().query(`${deliveries}, starts = starts + 1 WHERE destination_id = $1`, [id]);
  expect(await takeOver(workspaceId, { kind: "retry", input }, { at: /WITH found AS MATERIALIZED/, meanwhile })).toMatchObject(ENDED);
  const { rows } = await pool().query("SELECT state, starts FROM forward_deliveries WHERE destination_id = $1", [id]);
  expect(rows).toEqual([{ state: "delivered", starts: 1 }]);
});

it("a release that was taken over stores nothing of the page in hand", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  const body = Buffer.from(envelope({ id: "evt_1" }));
  const entry = { id: `qua_${sourceId}`, workspaceId, sourceId, reason: "signature_mismatch", detail: "", verified: false };
  const headers = { "x-webhook-signature": sign(body.toString()) };
  await prisma().quarantineEntry.create({ data: { ...entry, receivedAt: new Date(), body, bodyBytes: body.length, headers } });
  const operation = { kind: "release", input: { filter: {} } } as const;
  expect(await takeOver(workspaceId, operation, { at: /SELECT FROM operations/ })).toMatchObject(ENDED);
  expect((await pool().query("SELECT FROM events WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
  const { rows } = await pool().query("SELECT released_at FROM quarantine WHERE id = $1", [entry.id]);
  expect(rows).toEqual([{ released_at: null }]);
});

it("a rebuild that was taken over replaces no record", async () => {
  const { workspaceId, sourceId } = await makeWorkspace();
  await append(workspaceId, sourceId, [{ eventId: "evt_1", type: "task.created", created: 1, data: { taskId: "task_1" } }]);
  await drainInbox();
  await pool().query("DELETE FROM views WHERE workspace_id = $1", [workspaceId]);
  expect(await takeOver(workspaceId, { kind: "rebuild" }, { at: /LOCK TABLE views/ })).toMatchObject(ENDED);
  expect((await pool().query("SELECT FROM views WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
});
