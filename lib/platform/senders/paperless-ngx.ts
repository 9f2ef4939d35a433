import { ownToken, type Template } from "../schemes/senders/template.ts";

export const paperlessNgx: Template = {
  title: "Paperless-ngx",
  ...ownToken("x-paperless-secret"),
  reading: {
    id: ["{doc_url}.{modified}", "{doc_url}.{added}"],
    type: ["event", "text:document.processed"],
    created: ["modified", "added"],
  },
  records: "documents",
  record: {
    kind: "document",
    id: "doc_url",
    title: "doc_title",
    states: { "document.processed": "processed" },
    facts: { correspondent: "correspondent", documentType: "document_type", fileName: "original_filename" },
  },
  secretHint: "The value of the header that you add to the workflow's webhook action.",
  retries: "Up to 3 retries of answers that are errors, at growing intervals; none of timeouts.",
  answerWithin: 5,
  docsUrl: "https://docs.paperless-ngx.com/usage/#workflow-actions",
  proof: "source",
  facts: [
    "https://github.com/paperless-ngx/paperless-ngx (src/documents/workflows/webhooks.py)",
    "https://docs.paperless-ngx.com/usage/#workflow-actions",
  ],
  unchecked: ["its fields, which each workflow sets itself"],
};
