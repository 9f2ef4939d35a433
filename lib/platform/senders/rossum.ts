import { hmac, type Template } from "../schemes/senders/template.ts";

export const rossum: Template = {
  title: "Rossum",
  scheme: hmac({ header: "x-rossum-signature-sha256", prefix: "sha256=" }, { idIsSigned: true }),
  reading: { id: ["request_id"], type: ["{event}.{action}", "event"], created: ["timestamp"] },
  records: "documents",
  record: {
    kind: "document",
    id: "annotation.id",
    types: ["annotation_*"],
    title: "document.original_file_name",
    state: "annotation.status",
    states: {
      created: "uploaded",
      importing: "uploaded",
      failed_import: "error",
      reviewing: "viewed",
      confirmed: "signed",
      exported: "processed",
      failed_export: "error",
      deleted: "deleted",
      purged: "deleted",
    },
    facts: { organizationId: "annotation.organization", contentType: "document.mime_type" },
  },
  secretHint: "The secret of the hook (secrets or config.secret), Settings > Extensions > your hook.",
  retries: "Retries a failed request up to 4 times.",
  answerWithin: 30,
  docsUrl: "https://elis.rossum.ai/api/docs/#webhook-validation",
  facts: ["https://elis.rossum.ai/api/docs/"],
  unchecked: ["how long it waits for an answer and tries again"],
};
