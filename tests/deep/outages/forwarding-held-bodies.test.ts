import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination, receive } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

const MIB = 1_048_576;

test("senders that are woken together hold no more bodies than all may, and each goes on when there is room again", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const unanswered: ServerResponse[] = [];
  let answers = false;
  const { url, received } = await target((_one, _request, response) => {
    if (answers) response.end();
    else unanswered.push(response);
  });
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push((await makeDestination(workspaceId, { url, concurrency: 3 })).id);
  // Each destination reads 12 MB at once.
  for (let n = 0; n < 12; n += 1) await receive(source, { data: { documentId: `doc_${n}`, text: "x".repeat(MIB) } });
  await applyAll();
  const held = new HeldBodies(32 * MIB);
  const senders = await Promise.all(ids.map((id) => startOneSender(id, { held })));
  open.push(...senders);
  // A worker looks each second.
  const look = async () => {
    for (const { update } of senders) await update();
    return received.length;
  };
  await until(look, (count) => count >= 6);
  await sleep(500);
  expect(held.bytes).toBeLessThanOrEqual(held.most);
  answers = true;
  for (const response of unanswered) response.end();
  await until(look, (count) => count === 4 * 12);
  await Promise.all(senders.map(({ stop }) => stop()));
  expect(held.bytes).toBe(0);
});

test("beside six whose answers do not come, with bodies of 1 MB, another gets its small events and its large ones", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const slow = await target(() => undefined);
  const slowIds: string[] = [];
  for (let n = 0; n < 6; n += 1) slowIds.push((await makeDestination(workspaceId, { url: slow.url, types: ["document.processed"] })).id);
  const healthy = await target();
  const { id } = await makeDestination(workspaceId, { url: healthy.url, types: ["task.created"] });
  const text = "x".repeat(MIB);
  for (let n = 0; n < 20; n += 1) await receive(source, { type: "document.processed", data: { documentId: `doc_${n}`, text } });
  await applyAll();
  const held = new HeldBodies(32 * MIB);
  const senders = await Promise.all([id, ...slowIds].map((each) => startOneSender(each, { held })));
  open.push(...senders);
  // Each sends what it has room for, and more waits.
  await until(
    () => slow.received.length,
    (count) => count >= 6,
  );
  for (let n = 0; n < 6; n += 1)
    await receive(source, { type: "task.created", data: { taskId: `tsk_${n}`, text: n % 2 === 0 ? text : "small" } });
  await applyAll();
  await senders[0]?.update();
  await until(
    () => new Set(healthy.received.map(({ headers }) => headers["signalbox-event-id"])).size,
    (count) => count === 6,
  );
  expect(held.bytes).toBeLessThanOrEqual(held.most);
});

test("a destination at which nothing is under way takes as many large bodies as it may at once, whoever has not answered yet", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const { url, received } = await target(() => undefined);
  const { id } = await makeDestination(workspaceId, { url, concurrency: 4 });
  for (let n = 0; n < 4; n += 1) await receive(source, { data: { documentId: `doc_${n}`, text: "x".repeat(MIB) } });
  await applyAll();
  // Nothing looks at its settings after the start.
  open.push(await startOneSender(id));
  await until(
    () => received.length,
    (count) => count === 4,
  );
});
