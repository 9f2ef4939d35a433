import type { ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { pool } from "#lib/db/pool";
import { retryDelivery } from "#lib/flows/forwarding/deliveries";
import { changeDestination, pauseDestination, readDestination, resumeDestination } from "#lib/flows/forwarding/destinations";
import { beginClaim, claimRanges, giveBackRanges } from "#lib/processing/log-range-store";
import { makeChannel } from "#tests/support/alerts/alerts";
import { useDatabase } from "#tests/support/database";
import { applyAll, asOwner, makeDestination, receive, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, untilArrived, untilAtLeast, untilIs, useTargets } from "#tests/support/forwarding/senders";
import type { Target } from "#tests/support/forwarding/target";
import { loseCommitAnswers } from "#tests/support/lost-commits";
import { makeWorkspace } from "#tests/support/webhooks";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();

const attemptsOf = async (destination: string): Promise<number> => {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*) AS n FROM forward_attempts WHERE destination_id = $1", [destination]);
  return rows[0]?.n ?? 0;
};

test.each([9, 3])(
  "a delivery that a person retries while its attempt after %i failures is in flight starts over, and is sent at once",
  async (attempts) => {
    const answers: ServerResponse[] = [];
    const { workspaceId, source, id } = await withDestination({}, (_one, _request, response) => void answers.push(response));
    await receiveAndApply(source);
    await pool().query("UPDATE forward_deliveries SET attempts = $2 WHERE destination_id = $1", [id, attempts]);
    const sender = await startOneSender(id);
    open.push(sender);
    await untilArrived(answers, 1);
    const { rows } = await pool().query<{ id: number }>("SELECT id FROM forward_deliveries WHERE destination_id = $1", [id]);
    await retryDelivery(asOwner(workspaceId), `dlv_${rows[0]?.id}`);
    answers[0]?.writeHead(500).end();
    await untilIs(() => attemptsOf(id), 1);
    const after = await pool().query(
      "SELECT state, attempts, tries, due_at <= now() AS due, last_code AS code FROM forward_deliveries WHERE destination_id = $1",
      [id],
    );
    expect(after.rows).toEqual([{ state: "pending", attempts: 0, tries: 1, due: true, code: "server_error" }]);
    await sender.update();
    await untilArrived(answers, 2);
    answers[1]?.end();
    await untilIs(
      async () => (await pool().query("SELECT state FROM forward_deliveries WHERE destination_id = $1", [id])).rows[0]?.state,
      "delivered",
    );
  },
);

test("what was asked before a person resumed the destination does not suspend it, a 410 neither", async () => {
  const answers: ServerResponse[] = [];
  const { workspaceId, source, id } = await withDestination({ concurrency: 25 }, (_one, _request, response) => void answers.push(response));
  for (let n = 0; n < 25; n += 1) await receiveAndApply(source);
  const sender = await startOneSender(id);
  open.push(sender);
  await untilArrived(answers, 25);
  await pauseDestination(asOwner(workspaceId), id);
  await resumeDestination(asOwner(workspaceId), id, "all");
  await sender.update();
  for (const [n, answer] of answers.splice(0).entries()) answer.writeHead(n === 0 ? 410 : 500).end();
  await untilAtLeast(() => attemptsOf(id), 25);
  expect(await readDestination(workspaceId, id)).toMatchObject({ state: "active" });
  await until(
    async () => {
      await sender.update();
      return answers.length;
    },
    (count) => count >= 1,
  );
  answers[0]?.writeHead(410).end();
  await untilIs(async () => (await readDestination(workspaceId, id))?.state, "suspended");
});

test("attempts whose commit was not answered count once, and what they changed is known", { tags: ["deep"] }, async () => {
  const { workspaceId, source, id } = await withDestination({}, (_one, _request, response) => void response.writeHead(500).end());
  for (let n = 0; n < 5; n += 1) await receiveAndApply(source);
  const lost = loseCommitAnswers(pool("forwarding"), 1);
  const sender = await startOneSender(id);
  open.push(sender);
  const tried = (least: number) =>
    untilAtLeast(
      async () => (await pool().query("SELECT FROM forward_deliveries WHERE destination_id = $1 AND tries > 0", [id])).rowCount ?? 0,
      least,
    );
  await tried(5);
  // Results are written in the order in which they came: once the sixth is there, what was repeated is too.
  await receiveAndApply(source);
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

const nameOf = (query: unknown) => (query as { name?: string } | undefined)?.name;

/** Lets `between` happen once, right after the database has answered the sender's first look at what is due in order. */
function afterFirstLook(between: () => Promise<void>) {
  const from = pool("forwarding");
  const query = from.query.bind(from) as (...args: unknown[]) => Promise<unknown>;
  let done: Promise<void> | undefined;
  const spy = vi.spyOn(from, "query").mockImplementation((async (...args: unknown[]) => {
    const answer = await query(...args);
    if (/^(oldest-waiting|forward-due-heads)$/.test(nameOf(args[0]) ?? "")) {
      done ??= between();
      await done;
    }
    return answer;
  }) as never);
  return { ended: () => done, looks: () => spy.mock.calls.filter(([each]) => nameOf(each) === "forward-due-heads").length };
}

const eventIds = (received: Target["received"]) => received.map(({ headers }) => headers["signalbox-event-id"]);

test("of two events of a subject that arrive while the sender looks, the second to be applied first waits for the other", async () => {
  const { workspaceId, source, id, received } = await withDestination({ ordered: true });
  await receiveAndApply(source, { id: "evt_other", data: { documentId: "doc_0" } });
  let claim = 0;
  const first = await pool("worker").connect();
  const { ended, looks } = afterFirstLook(async () => {
    await receive(source, { id: "evt_first", data: { documentId: "doc_1" } });
    await first.query("BEGIN");
    await until(
      async () => {
        claim = await beginClaim(first);
        return claimRanges(claim, { workspaceIds: [workspaceId], limit: 10, share: 10 });
      },
      (claimed) => claimed === 1,
    );
    await receiveAndApply(source, { id: "evt_second", data: { documentId: "doc_1" } });
    expect(
      (await pool().query("SELECT event_id FROM forward_deliveries WHERE destination_id = $1 AND event_id <> 'evt_other'", [id])).rows,
    ).toEqual([{ event_id: "evt_second" }]);
  });
  const sender = await startOneSender(id);
  open.push(sender);
  await untilAtLeast(() => claim, 1);
  await ended();
  // What a look finds has begun to be sent before the next look, and arrives a little later than that: two more have ended.
  const before = looks();
  await until(
    async () => {
      await sender.update();
      return looks();
    },
    (count) => (count >= before + 2 && received.length > 0) || received.length > 1,
  );
  expect(eventIds(received)).toEqual(["evt_other"]);
  await first.query("ROLLBACK");
  first.release();
  await giveBackRanges([claim]);
  await applyAll();
  await sender.update();
  await untilArrived(received, 3);
  expect(eventIds(received)).toEqual(["evt_other", "evt_first", "evt_second"]);
});

test("an event that is applied again later is handed on in its place, once, and nothing of its subject overtakes it", async () => {
  const { workspaceId, source, id, received } = await withDestination({ ordered: true });
  await receive(source, { id: "evt_failing", data: { documentId: "doc_1" } });
  await pool().query(`CREATE FUNCTION fail_refs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM events e WHERE e.seq = NEW.seq AND e.event_id = 'evt_failing') THEN RAISE EXCEPTION 'made to fail' USING ERRCODE = '22000'; END IF;
      RETURN NEW; END $$`);
  await pool().query("CREATE TRIGGER fail_refs BEFORE INSERT ON event_refs FOR EACH ROW EXECUTE FUNCTION fail_refs()");
  await applyAll();
  expect((await pool().query("SELECT FROM inbox WHERE workspace_id = $1 AND attempts > 0", [workspaceId])).rowCount).toBe(1);
  await pool().query("DROP FUNCTION fail_refs CASCADE");
  await receiveAndApply(source, { id: "evt_later", data: { documentId: "doc_1" } });
  const sender = await startOneSender(id);
  open.push(sender);
  await untilAtLeast(() => received.length, 2);
  await pool().query("UPDATE inbox SET due_at = now() - interval '1 second' WHERE workspace_id = $1", [workspaceId]);
  await applyAll();
  expect((await pool().query("SELECT FROM inbox WHERE workspace_id = $1", [workspaceId])).rowCount).toBe(0);
  expect(eventIds(received)).toEqual(["evt_failing", "evt_later"]);
  const { rows } = await pool().query("SELECT event_id, subject FROM forward_deliveries WHERE workspace_id = $1 ORDER BY seq", [
    workspaceId,
  ]);
  expect(rows).toEqual([
    { event_id: "evt_failing", subject: "document:doc_1" },
    { event_id: "evt_later", subject: "document:doc_1" },
  ]);
});

test("two people who change different settings of a destination at once both have their way", async () => {
  const { workspaceId } = await makeWorkspace();
  const { id } = await makeDestination(workspaceId, { url: "http://127.0.0.1:9999/" });
  for (let n = 1; n <= 10; n += 1) {
    await Promise.all([
      changeDestination(asOwner(workspaceId), id, { rate: n }),
      changeDestination(asOwner(workspaceId), id, { concurrency: n }),
    ]);
    expect(await changeDestination(asOwner(workspaceId), id, {})).toMatchObject({ rate: n, concurrency: n });
  }
});

test("of many who add one at once to a workspace that has room for one more, one may: destinations, alert channels", async () => {
  const { workspaceId } = await makeWorkspace();
  const url = "http://127.0.0.1:9999/";
  await makeDestination(workspaceId, { url });
  await makeChannel(workspaceId, { kind: "webhook", url });
  const kinds: [table: string, id: string, limit: number, add: () => Promise<unknown>][] = [
    ["destinations", "dst_copy_", 100, () => makeDestination(workspaceId, { url })],
    ["alert_channels", "alc_copy_", 50, () => makeChannel(workspaceId, { kind: "webhook", url })],
  ];
  for (const [table, id, limit, add] of kinds) {
    await copyRow(table, id, workspaceId, limit - 2);
    const added = await Promise.allSettled(Array.from({ length: 6 }, add));
    expect([table, added.filter(({ status }) => status === "fulfilled").length]).toEqual([table, 1]);
  }
});

/** Copies the workspace's only row of a table so often, under other IDs. */
async function copyRow(table: string, id: string, workspaceId: string, times: number): Promise<void> {
  const { rows } = await pool().query<{ names: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND column_name NOT IN ('id', 'seq') AND is_generated = 'NEVER'`,
    [table],
  );
  await pool().query(
    `INSERT INTO ${table} (id, ${rows[0]?.names}) SELECT $2 || n, ${rows[0]?.names} FROM ${table}, generate_series(1, $3) n WHERE workspace_id = $1`,
    [workspaceId, id, times],
  );
}
