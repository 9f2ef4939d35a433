import { discordMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

/** Discord, by a channel's webhook. */
export const DISCORD = chatChannel<"discord">(discordMessage);
