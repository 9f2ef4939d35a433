import { discordMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

export const DISCORD = chatChannel<"discord">(discordMessage);
