import { webhookBody } from "#lib/alerts/message/events";
import { newSigningSecret, signedHeaders } from "#lib/forwarding/attempt/signing";
import { messageIdOf } from "../sending/message-id.ts";
import { postJson } from "../sending/post-json.ts";
import type { ChannelType } from "./channel-type.ts";
import { checkedUrl } from "./checked-url.ts";

export const WEBHOOK: ChannelType<"webhook"> = {
  fields: ["url", "secret"],
  oneRequestEach: false,
  makesSecret: true,
  boundSecret: { field: "secret", label: "signing secret" },
  readAddress: async ({ url }) => ({ recipients: [], target: await checkedUrl(url), secret: newSigningSecret() }),
  changedAddress: async (target, { url, secret }) =>
    url === undefined && secret === undefined
      ? null
      : { recipients: [], target: url === undefined ? target : await checkedUrl(url), secret: secret ?? null },
  deliver: ({ channel, target, secret, message, now, giveUp }) => {
    const body = Buffer.from(JSON.stringify(webhookBody(message, now)));
    return postJson(target, body, now, giveUp, secret, signedHeaders(messageIdOf(channel, message), now, body, [secret]));
  },
};
