import { beforeEach, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { redeliverEvent, redeliverSet, startOrResume } from "#lib/flows/processing/redeliver-events";
import { useDatabase } from "#tests/support/database";
import { applyAll, asOwner, makeDestination, receiveAndApply } from "#tests/support/forwarding/destinations";
import { countStates, startSenders, until, untilArrived, untilAtLeast, untilStates, useTargets } from "#tests/support/forwarding/senders";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target, withDestination } = useTargets();
const BY = { name: null, requestedBy: "ada@example.com" };

beforeEach(() => {
  open.push(startSenders());
});

/** A workspace with one event, and a destination that has got it. */
async function delivered(settings: Record<string, unknown> = {}) {
  const { workspaceId, source, id, url, received } = await withDestination({ ...settings });
  await receiveAndApply(source, { id: "evt_1" });
  await untilArrived(received, 1);
  await untilStates(id, { delivered: 1 });
  return { workspaceId, source, id, received, url };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 400));

test("a re-delivery to the records alone sends nothing that was delivered; one to destinations too sends it again, under the same id", async () => {
  const { workspaceId, received } = await delivered();
  await redeliverEvent(workspaceId, "evt_1", "ada@example.com");
  await applyAll();
  await pause();
  expect(received).toHaveLength(1);
  await redeliverEvent(workspaceId, "evt_1", "ada@example.com", true);
  await applyAll();
  await untilArrived(received, 2);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a destination that was added later gets what it matches, and nothing else", async () => {
  const { workspaceId, received } = await delivered();
  const late = await target();
  const other = await target();
  const { id } = await makeDestination(workspaceId, { url: late.url });
  await makeDestination(workspaceId, { url: other.url, types: ["task.created"] });
  await redeliverSet(workspaceId, { filter: {} }, { now: new Date(), ...BY, toDestinations: true });
  await applyAll();
  await untilStates(id, { delivered: 1 });
  await untilArrived(received, 2);
  expect([late.received.length, other.received.length]).toEqual([1, 0]);
});

test("an event that is in two such re-deliveries at once is sent once more, not failed", async () => {
  const { workspaceId, id, received } = await delivered();
  await redeliverEvent(workspaceId, "evt_1", "ada@example.com", true);
  await redeliverEvent(workspaceId, "evt_1", "ada@example.com", true);
  await applyAll();
  await untilAtLeast(() => received.length, 2);
  await until(
    () => countStates(id),
    ({ delivered, pending = 0 }) => delivered === 1 && pending === 0,
  );
  await pause();
  expect(await countStates(id)).toEqual({ delivered: 1 });
  expect(received.length).toBeLessThanOrEqual(3);
});

test("a held re-delivery takes the choice when it is started, and the audit log keeps it", async () => {
  const { workspaceId, received } = await delivered();
  const { id } = await redeliverSet(workspaceId, { eventIds: ["evt_1"] }, { now: new Date(), ...BY, hold: true });
  expect(await startOrResume(asOwner(workspaceId), id ?? "", { toDestinations: true })).toMatchObject({
    destinations: true,
  });
  await applyAll();
  await untilArrived(received, 2);
  const { rows } = await pool().query<{ after: unknown }>(
    "SELECT after FROM audit_entries WHERE workspace_id = $1 AND action = 'redelivery.started'",
    [workspaceId],
  );
  expect(rows).toMatchObject([{ after: { destinations: true } }]);
});
