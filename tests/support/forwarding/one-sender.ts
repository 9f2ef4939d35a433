import { setImmediate as nextTurn } from "node:timers/promises";
import { pool } from "#lib/db/pool";
import { DestinationSender, type SenderContext } from "#lib/flows/forwarding/sending/destination-sender";
import { ResultWriter } from "#lib/flows/forwarding/sending/record-results";
import { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import { listLeased, releaseDestinations } from "#lib/forwarding/sender/sender-lease-store";
import { systemClock } from "#lib/time/clock";
import { applyAll, receive } from "./destinations.ts";
import { until } from "./senders.ts";

/** The sender of one destination, without the clock that looks after it: `update` does what that does each second. */
type OneSender = { update: () => Promise<void>; stop: () => Promise<void> };

/** Knows what it is writing: the database shows a result a moment before the sender knows that it is recorded. */
class WatchedWriter extends ResultWriter {
  private readonly underWay = new Set<Promise<unknown>>();

  override write(...given: Parameters<ResultWriter["write"]>): ReturnType<ResultWriter["write"]> {
    const written = super.write(...given);
    this.underWay.add(written);
    void written.finally(() => this.underWay.delete(written));
    return written;
  }

  async written(): Promise<void> {
    await Promise.all(this.underWay);
    await nextTurn();
  }
}

/** Name of a sender that is started here. */
const SENDER = "one sender";

/** Starts the sender of a destination, whose lease does not end. */
export async function startOneSender(id: string, context: Partial<SenderContext> = {}): Promise<OneSender> {
  const settings = async () => {
    const [leased] = await listLeased([id]);
    if (!leased) throw new Error(`there is no destination ${id}`);
    return leased;
  };
  await pool().query(
    `INSERT INTO destination_senders (destination_id, workspace_id, sender, until) SELECT id, workspace_id, $2, 'infinity' FROM destinations WHERE id = $1
     ON CONFLICT (destination_id) DO UPDATE SET sender = excluded.sender, until = excluded.until`,
    [id, SENDER],
  );
  const writer = new WatchedWriter();
  const sender = new DestinationSender(await settings(), {
    sender: SENDER,
    writer,
    held: new HeldBodies(64 * 1_048_576),
    giveUp: new AbortController().signal,
    random: () => 0.5,
    clock: systemClock,
    ...context,
  });
  const update = async () => {
    await writer.written(); // else the next look passes over what is in flight for it, and this sender has no clock that looks again
    sender.update(await settings(), () => true);
  };
  await update();
  const stop = async () => {
    await sender.stop();
    await releaseDestinations(SENDER, [id]);
  };
  return { update, stop };
}

/** Receives an event of a source, and sends to a destination until one more has reached it. @returns what did */
export async function sendOne<T>(source: string, id: string, received: T[]): Promise<T | undefined> {
  const before = received.length;
  await receive(source);
  await applyAll();
  const sender = await startOneSender(id);
  try {
    await until(
      () => received.length,
      (count) => count > before,
    );
  } finally {
    await sender.stop();
  }
  return received.at(-1);
}
