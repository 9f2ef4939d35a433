import type { AlertMessage } from "#lib/alerts/message/message";
import { postJson } from "../sending/post-json.ts";
import type { Address, ChannelType } from "./channel-type.ts";
import { checkedUrl } from "./checked-url.ts";

/** Makes a chat's channel. The URL is the credential, so it is sealed and only its host is shown. */
export const chatChannel = <K extends "slack" | "teams" | "discord">(compose: (message: AlertMessage) => object): ChannelType<K> => ({
  fields: ["url"],
  oneRequestEach: false,
  makesSecret: false,
  boundSecret: null,
  readAddress: ({ url }) => sealedUrl(url),
  changedAddress: async (_target, { url }) => (url === undefined ? null : sealedUrl(url)),
  deliver: ({ secret, message, now, giveUp }) => postJson(secret, Buffer.from(JSON.stringify(compose(message))), now, giveUp, secret),
});

async function sealedUrl(url: string): Promise<Address> {
  const href = await checkedUrl(url);
  return { recipients: [], target: new URL(href).host, secret: href };
}
