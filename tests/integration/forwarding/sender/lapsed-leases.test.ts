import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { inTransaction, pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { receiveAndApply } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { startSenders, until, untilArrived, untilAtLeast, untilIs, useTargets } from "#tests/support/forwarding/senders";

// A machine that was suspended believes that no time has passed. Another worker has its destinations by now.

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();
afterEach(() => vi.useRealTimers());

/** The names of the senders' statements that were answered. */
const statements: string[] = [];
beforeEach(() => {
  statements.length = 0;
  const from = pool("forwarding");
  const query = from.query.bind(from) as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(from, "query").mockImplementation((async (...args: unknown[]) => {
    const answer = await query(...args);
    statements.push((args[0] as { name?: string }).name ?? "");
    return answer;
  }) as never);
  onTestFinished(() => spy.mockRestore());
});
const count = (name: string) => statements.filter((each) => each === name).length;

/** Waits until a statement was answered so many times more. */
const answeredMore = async (name: string, times: number) => {
  const before = count(name);
  await untilAtLeast(() => count(name), before + times);
};

/** A worker that has sent the first of three events, and has read the others: its application does not answer yet. */
async function withReadAhead() {
  const answers: ServerResponse[] = [];
  const { source, id, received } = await withDestination({ concurrency: 1 }, (_one, _request, response) => void answers.push(response));
  for (const event of ["evt_1", "evt_2", "evt_3"]) await receiveAndApply(source, { id: event });
  open.push(startSenders());
  await untilIs(() => received.length, 1);
  const answered = async () => {
    answers[0]?.end();
    const recorded = () => pool().query("SELECT FROM forward_attempts WHERE destination_id = $1", [id]);
    await until(recorded, ({ rowCount }) => rowCount === 1);
  };
  return { id, source, sent: () => received.map(({ headers }) => headers["signalbox-event-id"]), answered };
}

test("a sender that was suspended sends nothing of what it had read before the database says that it may", { tags: ["deep"] }, async () => {
  const { id, sent, answered } = await withReadAhead();
  await inTransaction(pool(), async (another) => {
    // The sender's next look at its leases waits for this one to end.
    await another.query("UPDATE destination_senders SET sender = 'another', until = now() + interval '1 hour' WHERE destination_id = $1", [
      id,
    ]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20_000 });
    await answered();
    expect(sent()).toEqual(["evt_1"]);
  });
  await answeredMore("destinations-leased", 2);
  expect(sent()).toEqual(["evt_1"]);
});

test("a sender reads nothing to send where another has the destination by the database's clock, whatever its own say", async () => {
  const { source, id, received } = await withDestination();
  const sender = await startOneSender(id);
  open.push(sender);
  const lease = (holder: string) => pool().query("UPDATE destination_senders SET sender = $2 WHERE destination_id = $1", [id, holder]);
  await lease("another");
  await receiveAndApply(source);
  for (const _ of [1, 2]) {
    const loaded = answeredMore("forward-load", 1);
    await sender.update();
    await loaded;
  }
  expect(received).toHaveLength(0);
  await lease("one sender");
  await sender.update();
  await untilArrived(received, 1);
});

test("a sender that takes a destination again sends nothing that it had read before another had it", { tags: ["deep"] }, async () => {
  const { id, source, sent, answered } = await withReadAhead();
  await inTransaction(pool(), async (another) => {
    await another.query("DELETE FROM destination_senders WHERE destination_id = $1", [id]);
    await another.query("UPDATE forward_deliveries SET state = 'delivered' WHERE destination_id = $1 AND event_id <> 'evt_1'", [id]);
  });
  await answeredMore("destinations-leased", 3);
  await answered();
  await receiveAndApply(source, { id: "evt_4" });
  await until(sent, (events) => events.length > 1);
  expect(sent()).toEqual(["evt_1", "evt_4"]);
});
