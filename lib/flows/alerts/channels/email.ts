import { messageIdOf } from "../sending/message-id.ts";
import { sendMail } from "../sending/send-mail.ts";
import type { ChannelType } from "./channel-type.ts";

export const EMAIL: ChannelType<"email"> = {
  fields: ["recipients"],
  oneRequestEach: false,
  makesSecret: false,
  boundSecret: null,
  readAddress: async ({ recipients }) => toRecipients(recipients),
  changedAddress: async (_target, { recipients }) => (recipients ? toRecipients(recipients) : null),
  deliver: ({ channel, message, giveUp }) => sendMail(channel.recipients, message, messageIdOf(channel, message), giveUp),
};

const toRecipients = (recipients: string[]) => ({ recipients, target: recipients.join(", "), secret: null });
