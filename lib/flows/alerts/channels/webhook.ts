import { webhookBody } from "#lib/alerts/message/events";
import { newSigningSecret, signedHeaders } from "#lib/forwarding/attempt/signing";
import { messageIdOf } from "../sending/message-id.ts";
import { postJson } from "../sending/post-json.ts";
import type { ChannelType } from "./channel-type.ts";
import { checkedUrl } from "./checked-url.ts";

/** JSON to a URL, signed as by Standard Webhooks. */
export const WEBHOOK: ChannelType<"webhook"> = {
  fields: ["url"],
  oneRequestEach: false,
  makesSecret: true,
  readAddress: async ({ url }) => ({ recipients: [], target: await checkedUrl(url), secret: newSigningSecret() }),
  changedAddress: async (_target, { url }) => (url === undefined ? null : { recipients: [], target: await checkedUrl(url), secret: null }),
  deliver: ({ channel, secret, message, now, giveUp }) => {
    const body = Buffer.from(JSON.stringify(webhookBody(message, now)));
    return postJson(channel.target, body, giveUp, secret, signedHeaders(messageIdOf(channel, message), now, body, [secret]));
  },
};
