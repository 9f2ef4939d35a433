import type { AlertMessage } from "#lib/alerts/message/message";
import type { ClaimedChannel } from "#lib/alerts/send-store";
import { messageId } from "#lib/forwarding/attempt/signing";

/** Returns the same ID for all attempts to send the same alerts to the same channel. */
export const messageIdOf = ({ id }: ClaimedChannel, { lines }: AlertMessage): string =>
  messageId(id, lines.flatMap(({ sendIds }) => sendIds).join(","));
