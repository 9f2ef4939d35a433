import { openChannelSecret } from "#lib/alerts/channel-store";
import { discordMessage, slackMessage, teamsMessage } from "#lib/alerts/message/chat";
import { pagerDutyEvent, webhookBody } from "#lib/alerts/message/events";
import type { AlertMessage } from "#lib/alerts/message/message";
import type { ClaimedChannel } from "#lib/alerts/send-store";
import { messageId, signedHeaders } from "#lib/forwarding/attempt/signing";
import type { Delivered } from "./delivered.ts";
import { postJson } from "./post-json.ts";
import { sendMail } from "./send-mail.ts";

/** When it is sent; `giveUp` ends the attempt, and then nothing is known of it. */
type Attempt = { now: Date; giveUp: AbortSignal };

/** The same over all attempts to send the same alerts to the same channel. */
const messageIdOf = ({ id }: ClaimedChannel, { lines }: AlertMessage): string =>
  messageId(id, lines.flatMap(({ sendIds }) => sendIds).join(","));

/**
 * Sends a message over its channel. What arrived of several parts (PagerDuty
 * takes one request for each alert) is not sent again.
 *
 * @returns what became of it, and which of its sends arrived
 */
export async function deliverMessage(
  channel: ClaimedChannel,
  message: AlertMessage,
  attempt: Attempt,
): Promise<Delivered & { sentIds: number[] }> {
  const ids = message.lines.flatMap(({ sendIds }) => sendIds);
  try {
    if (channel.kind === "pagerduty") return await sendEvents(channel, message, attempt);
    const delivered = await send(channel, message, attempt);
    return { ...delivered, sentIds: delivered.arrived ? ids : [] };
  } catch (error) {
    return { arrived: false, detail: (error as Error).message, retryAfterMs: null, sentIds: [] };
  }
}

async function send(channel: ClaimedChannel, message: AlertMessage, { now, giveUp }: Attempt): Promise<Delivered> {
  const { kind, workspaceId, id, recipients, target } = channel;
  if (kind === "email") return sendMail(recipients, message, messageIdOf(channel, message), giveUp);
  const secret = await openChannelSecret(workspaceId, id);
  if (kind === "slack") return postJson(secret, json(slackMessage(message)), giveUp, secret);
  if (kind === "teams") return postJson(secret, json(teamsMessage(message)), giveUp, secret);
  if (kind === "discord") return postJson(secret, json(discordMessage(message)), giveUp, secret);
  const body = json(webhookBody(message, now));
  return postJson(target, body, giveUp, secret, signedHeaders(messageIdOf(channel, message), now, body, [secret]));
}

async function sendEvents(
  { workspaceId, id, target }: ClaimedChannel,
  message: AlertMessage,
  { giveUp }: Attempt,
): Promise<Delivered & { sentIds: number[] }> {
  const key = await openChannelSecret(workspaceId, id);
  const sentIds: number[] = [];
  let last: Delivered = { arrived: true, detail: "Nothing to send", retryAfterMs: null };
  for (const line of message.lines) {
    last = await postJson(target, json(pagerDutyEvent(key, message, line)), giveUp, key);
    // A test leaves no incident behind.
    if (last.arrived && line.subject === "test")
      last = await postJson(target, json(pagerDutyEvent(key, message, line, "resolve")), giveUp, key);
    if (!last.arrived) break;
    sentIds.push(...line.sendIds);
  }
  return { ...last, sentIds };
}

const json = (value: object) => Buffer.from(JSON.stringify(value));
