import { ownToken, type Template } from "../schemes/senders/template.ts";

export const make: Template = {
  title: "Make",
  ...ownToken("x-make-secret"),
  reading: { id: ["id"], type: ["type", "event", "text:webhook"], created: ["created", "timestamp", "created_at"] },
  records: "none",
  secretHint: "The value of the header that you add to the HTTP module.",
  docsUrl: "https://apps.make.com/http",
  unchecked: ["its fields, which each workflow sets itself"],
};
