import { teamsMessage } from "#lib/alerts/message/chat";
import { chatChannel } from "./chat.ts";

/** Posts through a Teams workflow that runs when a webhook request is received. */
export const TEAMS = chatChannel<"teams">(teamsMessage);
