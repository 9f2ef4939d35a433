import { basic, type Template } from "../schemes/senders/template.ts";

export const docparser: Template = {
  title: "Docparser",
  ...basic,
  reading: { id: ["document_id", "id"], type: ["text:document.parsed"], created: ["processed_at", "uploaded_at"] },
  records: "documents",
  record: {
    kind: "document",
    ids: ["document_id"],
    id: "id",
    title: "file_name",
    states: { "document.parsed": "processed" },
    facts: { pages: "page_count" },
  },
  secretHint:
    "user:password of the Basic authentication under Integrations > Webhook. For a header of your own, add a source for a token in a header.",
  docsUrl: "https://support.docparser.com/article/1217-webhooks",
  unchecked: ["the times in its body"],
};
