import { ownToken, type Template } from "../schemes/senders/template.ts";

export const zapier: Template = {
  title: "Zapier",
  ...ownToken("x-zapier-secret"),
  reading: { id: ["id"], type: ["type", "event", "text:webhook"], created: ["created", "timestamp", "created_at"] },
  records: "none",
  secretHint: "The value of the header that you add to the action Webhooks by Zapier.",
  docsUrl: "https://help.zapier.com/hc/en-us/articles/8496326446989",
  unchecked: ["its fields, which each workflow sets itself"],
};
