import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { makeChannel, watch } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { until, useTargets } from "#tests/support/forwarding/senders";
import { makeWorkspace } from "#tests/support/webhooks";
import { startWorker } from "#tests/support/worker-process";

// Real workers, killed with -9 around the sending of an alert.

const ENVIRONMENT = { FORWARD_ALLOW: "127.0.0.1/32" };
const database = useDatabase(ENVIRONMENT);
const { target } = useTargets();

async function breakConnection(workspaceId: WorkspaceId): Promise<void> {
  await pool().query(
    `INSERT INTO connections (id, workspace_id, name, state, required_scopes, granted_scopes)
     VALUES ('con_1', $1, 'Account', 'needs_reauthorization', '{}', '{}')`,
    [workspaceId],
  );
  // Nobody looks while another process does: the worker, as it starts.
  await until(
    async () => {
      await watch();
      return states();
    },
    (found) => found.length > 0,
  );
}

/** As if the minute in which messages are gathered, and the dead worker's claim, were over. */
const hurry = async () => {
  await pool().query("UPDATE alert_sends SET due_at = now() - interval '1 second' WHERE state = 'pending'");
  await pool().query("UPDATE alert_channels SET sender_until = now() - interval '1 second'");
};

const states = async () =>
  (await pool().query<{ state: string; n: number }>("SELECT state, count(*)::int AS n FROM alert_sends GROUP BY 1")).rows;

it("a worker that dies before it sends, and one that dies while it sends: answered once, and told apart by one ID", async () => {
  const { workspaceId } = await makeWorkspace();
  const held: ServerResponse[] = [];
  let answering = false;
  const { url, received } = await target((_one, _request, response) => void (answering ? response.end("ok") : held.push(response)));
  await makeChannel(workspaceId, { kind: "webhook", url });

  // Dies in the minute between the transition and the message.
  const first = await startWorker(database.url(), ENVIRONMENT);
  await breakConnection(workspaceId);
  first.signal("SIGKILL");
  await first.ended;
  expect(received).toHaveLength(0);
  expect(await states()).toEqual([{ state: "pending", n: 1 }]);

  // Dies while its request is under way: nobody knows whether it was read.
  await hurry();
  const second = await startWorker(database.url(), ENVIRONMENT);
  await until(
    () => received.length,
    (count) => count === 1,
  );
  second.signal("SIGKILL");
  await second.ended;

  answering = true;
  await hurry();
  await startWorker(database.url(), ENVIRONMENT);
  await until(states, ([one]) => one?.state === "delivered" || one?.state === "sent");
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await watch();
  expect(received).toHaveLength(2);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(received.map(({ body }) => JSON.parse(body.toString()).data.alerts.length)).toEqual([1, 1]);
}, 120_000);
