import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database";
import { applyAll } from "#tests/support/forwarding/destinations";
import { startOneSender } from "#tests/support/forwarding/one-sender";
import { until, useTargets } from "#tests/support/forwarding/senders";
import { append } from "#tests/support/log-writer";

useDatabase({ FORWARD_ALLOW: "127.0.0.1/32" });

const { open, withDestination } = useTargets();

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
