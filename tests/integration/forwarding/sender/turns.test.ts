import { describe, expect, test } from "vitest";
import { pool } from "#lib/db/pool";
import { useDatabase } from "#tests/support/database";
import { applyAll, receiveAndApply } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, untilArrived, untilStates, useTargets } from "#tests/support/forwarding/senders";
import { append } from "#tests/support/log-writer";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();

/** A suspended destination whose application answers 422 to what it refuses; `probe` sends it one probe and waits until it is recorded. */
async function makeSuspended(ordered: boolean, events: string[], refuses: (event: string) => boolean) {
  const seen: string[] = [];
  const { source, id } = await withDestination({ ordered, concurrency: 1 }, (one, _request, response) => {
    const event = String(one.headers["signalbox-event-id"]);
    seen.push(event);
    response.statusCode = refuses(event) ? 422 : 200;
    response.end();
  });
  for (const event of events) await receiveAndApply(source, { id: event, data: { documentId: `doc_${event}` } });
  await pool().query(
    "UPDATE destinations SET state = 'suspended', state_reason = 'failing', epoch = 1, probe_at = now() + interval '1 hour' WHERE id = $1",
    [id],
  );
  const sender = await startOneSender(id);
  open.push(sender);
  const attempts = async () => (await pool().query("SELECT FROM forward_attempts WHERE destination_id = $1", [id])).rowCount;
  const probe = async (number: number) => {
    // The column rounds to milliseconds: now() could come to stand in the future.
    await pool().query("UPDATE destinations SET probe_at = now() - interval '1 ms' WHERE id = $1 AND state = 'suspended'", [id]);
    await sender.update();
    // The one that gets through is followed at once by what waits.
    await until(attempts, (count) => (count ?? 0) >= number);
  };
  return { id, seen, sender, probe };
}

describe.each([
  ["without order", false],
  ["in order", true],
])("%s", (_name, ordered) => {
  test("an application that refuses one delivery and takes the others is found working by the next probe", async () => {
    const { id, seen, sender, probe } = await makeSuspended(ordered, ["evt_bad", "evt_good", "evt_last"], (event) => event === "evt_bad");
    await probe(1);
    await probe(2);
    expect(seen.slice(0, 2)).toEqual(["evt_bad", "evt_good"]);
    await sender.update();
    await untilStates(id, { delivered: 2, pending: 1 });
  });

  test("each delivery is probed once before the first is probed again", async () => {
    const { seen, probe } = await makeSuspended(ordered, ["evt_1", "evt_2", "evt_3"], () => true);
    for (const number of [1, 2, 3, 4]) await probe(number);
    expect([...seen.slice(0, 3)].sort()).toEqual(["evt_1", "evt_2", "evt_3"]);
    expect(seen[3]).toBe(seen[0]);
  });
});

test("a destination gets no more requests a second than it takes, evenly", async () => {
  const at: number[] = [];
  const { source, id } = await withDestination({ concurrency: 10, rate: 10 }, (_one, _request, response) => {
    at.push(performance.now());
    response.end();
  });
  for (let n = 0; n < 8; n += 1) await receiveAndApply(source, { id: `evt_${n}`, data: { documentId: `doc_${n}` } });
  open.push(await startOneSender(id));
  await untilStates(id, { delivered: 8 });
  // Without a limit it takes some tens of milliseconds; the first may be held up by its connection.
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(400);
});

test("once the destination works, what was probed in vain is sent in its turn, before what came after it", async () => {
  let works = false;
  const { seen, sender, probe } = await makeSuspended(false, ["evt_1", "evt_2", "evt_3", "evt_4"], () => !works);
  await probe(1);
  works = true;
  await probe(2);
  await sender.update();
  await untilArrived(seen, 5);
  expect(seen).toEqual(["evt_1", "evt_2", "evt_1", "evt_3", "evt_4"]);
});

test("where a failover has lost the record of a probe, probes go on", async () => {
  const { id, seen, sender, probe } = await makeSuspended(false, ["evt_1", "evt_2"], () => true);
  await probe(1);
  await pool().query("UPDATE destinations SET probes = 0, probe_at = now() - interval '1 ms' WHERE id = $1", [id]);
  await until(
    async () => {
      await sender.update();
      return seen.length;
    },
    (count) => count === 2,
    10_000,
  );
});

const LARGE = 12;
const SMALL = 5;
const TEXT = "x".repeat(300_000);

// Names in the order of the alphabet: in order, subjects have their turn in it, and the large ones come first.
const event = (name: string, text: string) => ({
  eventId: `evt_${name}`,
  type: "document.processed",
  created: 1,
  data: { documentId: name, text },
});

test.each([{ ordered: false }, { ordered: true }])(
  "small events that are due after large ones of other subjects take turns with them, one request at a time ($ordered)",
  async ({ ordered }) => {
    const { workspaceId, sourceId, id, received } = await withDestination({ ordered, concurrency: 1 });
    const large = Array.from({ length: LARGE }, (_, n) => event(`a_large_${String(n).padStart(2, "0")}`, TEXT));
    await append(workspaceId, sourceId, large);
    await applyAll();
    const small = Array.from({ length: SMALL }, (_, n) => event(`b_small_${n}`, "small"));
    const sameSubject = { ...event(`a_large_${LARGE - 1}`, "small"), eventId: "evt_c_same_subject" };
    await append(workspaceId, sourceId, [...small, sameSubject]);
    await applyAll();
    open.push(await startOneSender(id));
    const names = await until(
      () => received.map(({ headers }) => String(headers["signalbox-event-id"]).slice(4)),
      (all) => all.length === LARGE + SMALL + 1,
    );
    const before = (name: string) => names.slice(0, names.indexOf(name)).filter((each) => each.startsWith("a_large")).length;
    for (let n = 0; n < SMALL; n += 1) expect(before(`b_small_${n}`), names.join()).toBeLessThanOrEqual(n + 1);
    if (ordered) expect(before("c_same_subject")).toBe(LARGE);
  },
);
