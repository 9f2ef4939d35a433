import { ownToken, type Template } from "../schemes/senders/template.ts";

export const n8n: Template = {
  title: "n8n",
  ...ownToken("x-n8n-secret"),
  reading: { id: ["id"], type: ["type", "event", "text:webhook"], created: ["created", "timestamp", "created_at"] },
  records: "none",
  secretHint: "The value of the Header Auth credential of the HTTP Request node.",
  docsUrl: "https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/",
  unchecked: ["its fields, which each workflow sets itself"],
};
