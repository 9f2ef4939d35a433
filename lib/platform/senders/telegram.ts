import { type Template, token } from "../schemes/senders/template.ts";

export const telegram: Template = {
  title: "Telegram bots",
  scheme: token("x-telegram-bot-api-secret-token"),
  reading: {
    id: ["update_id"],
    type: ["text:update"],
    created: ["message.date", "edited_message.date", "channel_post.date", "callback_query.message.date"],
    about: [
      "{message.from.first_name} in {message.chat.title}",
      "{message.from.first_name}",
      "{edited_message.from.first_name}",
      "{callback_query.from.first_name}",
      "{channel_post.chat.title}",
    ],
  },
  records: "none",
  secretHint: "The secret_token that you give to setWebhook.",
  retries: "Retries a failed request a reasonable number of times.",
  docsUrl: "https://core.telegram.org/bots/api#setwebhook",
  proof: "source",
  facts: ["https://github.com/tdlib/telegram-bot-api (WebhookActor.cpp)", "https://core.telegram.org/bots/api#setwebhook"],
  unchecked: ["when it tries again"],
};
