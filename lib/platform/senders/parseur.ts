import { ownToken, type Template } from "../schemes/senders/template.ts";

export const parseur: Template = {
  title: "Parseur",
  ...ownToken("x-parseur-secret"),
  reading: { id: ["DocumentID"], type: ["text:document.processed"], created: ["Processed"] },
  records: "documents",
  record: { kind: "document", id: "DocumentID", title: "Subject", states: { "document.processed": "processed" } },
  secretHint: "The value of the header that you add under Export > Webhook.",
  docsUrl: "https://help.parseur.com/en/articles/3566128-send-your-parsed-data-to-a-webhook",
  unchecked: ["its fields, which each mailbox sets itself"],
};
