import { slackMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

export const SLACK = chatChannel<"slack">(slackMessage);
