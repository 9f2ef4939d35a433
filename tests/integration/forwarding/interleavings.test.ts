import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { auditOf } from "#lib/auth/audit/audit";
import { pool } from "#lib/db/pool";
import { readDestination } from "#lib/flows/forwarding/read-destinations";
import { retryDelivery } from "#lib/flows/forwarding/retry-delivery";
import { useDatabase } from "#tests/support/database";
import { applyAll, makeDestination, ownerOf, receive } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, useTargets } from "#tests/support/forwarding/senders";
import { loseCommitAnswers } from "#tests/support/lost-commits";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, target } = useTargets();

const attemptsOf = async (destination: string): Promise<number> => {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM forward_attempts WHERE destination_id = $1", [destination]);
  return rows[0]?.n ?? 0;
};

test.each([9, 3])(
  "a delivery that a person retries while its attempt after %i failures is in flight starts over, and is sent at once",
  async (attempts) => {
    const { workspaceId, source } = await makeWorkspace();
    const answers: ServerResponse[] = [];
    const { url } = await target((_one, _request, response) => void answers.push(response));
    const { id } = await makeDestination(workspaceId, { url });
    await receive(source);
    await applyAll();
    await pool().query("UPDATE forward_deliveries SET attempts = $2 WHERE destination_id = $1", [id, attempts]);
    const sender = await startOneSender(id);
    open.push(sender);
    await until(
      () => answers.length,
      (count) => count === 1,
    );
    const actor = ownerOf(workspaceId);
    const { rows } = await pool().query<{ id: number }>("SELECT id FROM forward_deliveries WHERE destination_id = $1", [id]);
    await retryDelivery(actor, `dlv_${rows[0]?.id}`, auditOf(actor));
    answers[0]?.writeHead(500).end();
    await until(
      () => attemptsOf(id),
      (count) => count === 1,
    );
    const after = await pool().query(
      "SELECT state, attempts, tries, due_at <= now() AS due, last_code AS code FROM forward_deliveries WHERE destination_id = $1",
      [id],
    );
    expect(after.rows).toEqual([{ state: "pending", attempts: 0, tries: 1, due: true, code: "server_error" }]);
    await sender.update();
    await until(
      () => answers.length,
      (count) => count === 2,
    );
    answers[1]?.end();
    await until(
      async () => (await pool().query("SELECT state FROM forward_deliveries WHERE destination_id = $1", [id])).rows[0]?.state,
      (state) => state === "delivered",
    );
  },
);

test("attempts whose commit was not answered count once, and what they changed is known", async () => {
  const { workspaceId, source } = await makeWorkspace();
  const { url } = await target((_one, _request, response) => void response.writeHead(500).end());
  const { id } = await makeDestination(workspaceId, { url });
  for (let n = 0; n < 5; n += 1) await receive(source);
  await applyAll();
  const lost = loseCommitAnswers(pool("forwarding"), 1);
  const sender = await startOneSender(id);
  open.push(sender);
  const tried = (least: number) =>
    until(
      async () => (await pool().query("SELECT FROM forward_deliveries WHERE destination_id = $1 AND tries > 0", [id])).rowCount ?? 0,
      (count) => count >= least,
    );
  await tried(5);
  // Results are written in the order in which they came: once the sixth is there, what was repeated is too.
  await receive(source);
  await applyAll();
  await sender.update();
  await tried(6);
  expect(lost()).toBe(1);
  const { rows } = await pool().query(
    "SELECT attempts_failed AS failed, failures_in_row AS row, (SELECT max(attempts) FROM forward_deliveries WHERE destination_id = $1) AS most FROM destinations WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ failed: 6, row: 6, most: 1 }]);
  expect(await attemptsOf(id)).toBe(6);
  expect((await readDestination(workspaceId, id))?.state).toBe("active");
});
