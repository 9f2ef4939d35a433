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
  await until(
    () => received.length,
    (count) => count >= 6,
  );
  await sleep(500);
  expect(held.bytes).toBeLessThanOrEqual(held.most);
  answers = true;
  for (const response of unanswered) response.end();
  await until(
    () => received.length,
    (count) => count === 4 * 12,
  );
  await Promise.all(senders.map(({ stop }) => stop()));
  expect(held.bytes).toBe(0);
});
