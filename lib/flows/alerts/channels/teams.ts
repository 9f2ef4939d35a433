import { teamsMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

/** Microsoft Teams, by a workflow that posts when a webhook request is received. */
export const TEAMS = chatChannel<"teams">(teamsMessage);
