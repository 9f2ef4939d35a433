import { openChannel } from "#lib/alerts/channel-store";
import type { AlertMessage } from "#lib/alerts/message/message";
import type { ClaimedChannel } from "#lib/alerts/send-store";
import { channelTypeOf } from "../channels/channel-types.ts";
import type { Delivered } from "./delivered.ts";

/** Limits the requests of a message that takes one for each alert, so that graver alerts that came up meanwhile go next. */
const MAX_REQUESTS = 20;
/** A channel that rejects this many alerts of one message would reject them all. */
const MAX_REFUSALS = 3;

/** `stopping` begins no other request. `giveUp` ends the one in flight: whether it arrived is then unknown. */
type Attempt = { now: Date; stopping: AbortSignal; giveUp: AbortSignal };

/** Returns false when another process sends the rest. */
type OnArrived = (sendIds: number[], detail: string) => Promise<boolean>;

/** `failure`: of the part that did not arrive. `untriedIds`: not attempted, and still due. */
type Outcome = { failure: Delivered | null; untriedIds: number[] };

/** Sends a message in as many requests as its kind needs. Each arrival is recorded at once, and not sent again if the rest fails. */
export async function deliverMessage(
  channel: ClaimedChannel,
  message: AlertMessage,
  attempt: Attempt,
  onArrived: OnArrived,
): Promise<Outcome> {
  const type = channelTypeOf(channel.kind);
  if (!type) return { failure: failed(unknownKind(channel.kind)), untriedIds: [] };
  const opened = await openAddress(channel);
  if ("failure" in opened) return { failure: opened.failure, untriedIds: [] };
  const waiting = type.oneRequestEach ? message.lines.map((line) => ({ ...message, lines: [line] })) : [message];
  let failure: Delivered | null = null;
  for (let requests = 0, refusals = 0; ; requests += 1) {
    const part = requests < MAX_REQUESTS && !attempt.stopping.aborted ? waiting.shift() : undefined;
    if (!part) return { failure, untriedIds: idsOf(waiting) };
    const delivered = await type.deliver({ channel, message: part, ...opened, ...attempt });
    if (delivered.arrived) {
      if (!(await onArrived(idsOf([part]), delivered.detail))) return { failure, untriedIds: idsOf(waiting) };
    } else {
      failure = delivered;
      refusals += 1;
      if (!delivered.refused || refusals >= MAX_REFUSALS) return { failure, untriedIds: [] };
    }
  }
}

const idsOf = (parts: AlertMessage[]) => parts.flatMap(({ lines }) => lines.flatMap(({ sendIds }) => sendIds));

async function openAddress({ workspaceId, id }: ClaimedChannel): Promise<{ target: string; secret: string } | { failure: Delivered }> {
  try {
    return await openChannel(workspaceId, id);
  } catch (error) {
    return { failure: failed((error as Error).message) };
  }
}

const unknownKind = (kind: string) =>
  `This version of Signalbox does not support channels of the kind “${kind}”. Update Signalbox, or delete the channel.`;

const failed = (detail: string): Delivered => ({ arrived: false, detail, retryAfterMs: null });
