import { expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { makeDestination } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, useTargets } from "#tests/support/forwarding/senders";
import { fillLog } from "#tests/support/large-log";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

const SUBJECTS = 2500;

/** A destination in order with one delivery for each subject, all of which wait an hour for a retry but those named. */
async function makeWaiting(due: number[]) {
  const { workspaceId, sourceId } = await makeWorkspace();
  const { url, received } = await target();
  await fillLog({ workspaceId, sourceId, events: SUBJECTS, run: "subjects" });
  const { id } = await makeDestination(workspaceId, { url, ordered: true, concurrency: 1 });
  await pool().query(
    `INSERT INTO forward_deliveries (workspace_id, destination_id, received_at, seq, event_id, type, subject, due_at)
     SELECT workspace_id, $2, received_at, seq, event_id, type, 'document:' || lpad(n::text, 6, '0'),
       CASE WHEN n = ANY($3::int[]) THEN now() ELSE now() + interval '1 hour' END
     FROM events, LATERAL (SELECT regexp_replace(event_id, '^.*_', '')::int AS n) numbered WHERE workspace_id = $1`,
    [workspaceId, id, due],
  );
  const makeDue = (n: number) =>
    pool().query(
      "UPDATE forward_deliveries SET due_at = now() - interval '1 second' WHERE destination_id = $1 AND subject = 'document:' || lpad($2::text, 6, '0')",
      [id, n],
    );
  const sent = () => received.map(({ headers }) => Number(String(headers["signalbox-event-id"]).split("_").at(-1)));
  const sender = await startOneSender(id);
  open.push(sender);
  return { sender, makeDue, sent };
}

test("subjects sorted after a thousand that wait for a retry are reached", async () => {
  const due = [5, 1700, 2499];
  const { sent } = await makeWaiting(due);
  await until(sent, ({ length }) => length === due.length);
  expect(sent()).toEqual(due);
});

test("a subject sorted before the one that was sent last is reached over the end, past thousands that wait", async () => {
  const { sender, makeDue, sent } = await makeWaiting([1200]);
  await until(sent, ({ length }) => length === 1);
  for (const [n, count] of [
    [1100, 2],
    [1099, 3],
  ] as const) {
    await makeDue(n);
    await sender.update();
    await until(sent, ({ length }) => length === count);
  }
  expect(sent()).toEqual([1200, 1100, 1099]);
});
