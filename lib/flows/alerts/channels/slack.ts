import { slackMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

/** Slack, by an incoming webhook. */
export const SLACK = chatChannel<"slack">(slackMessage);
