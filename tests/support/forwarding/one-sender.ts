import { DestinationSender, type SenderContext } from "#lib/flows/forwarding/sending/destination-sender";
import { ResultWriter } from "#lib/flows/forwarding/sending/result-writer";
import { HeldBodies } from "#lib/forwarding/sender/held-bodies";
import { listLeased } from "#lib/forwarding/sender/sender-lease-store";

/** The sender of one destination, without the clock that looks after it: `update` does what that does each second. */
type OneSender = { update: () => Promise<void>; stop: () => Promise<void> };

/** Starts the sender of a destination, as if its lease never ended. */
export async function startOneSender(id: string, context: Partial<SenderContext> = {}): Promise<OneSender> {
  const settings = async () => {
    const [leased] = await listLeased([id]);
    if (!leased) throw new Error(`there is no destination ${id}`);
    return leased;
  };
  const sender = new DestinationSender(await settings(), {
    writer: new ResultWriter(),
    held: new HeldBodies(64 * 1_048_576),
    giveUp: new AbortController().signal,
    random: () => 0.5,
    ...context,
  });
  const update = async () => sender.update(await settings(), Number.POSITIVE_INFINITY);
  await update();
  return { update, stop: () => sender.stop() };
}
