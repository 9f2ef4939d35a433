import { ownToken, type Template } from "../schemes/senders/template.ts";

export const docuseal: Template = {
  title: "DocuSeal",
  ...ownToken("x-docuseal-secret"),
  reading: { id: ["{event_type}.{data.id}.{timestamp}"], type: ["event_type"], created: ["timestamp"] },
  records: "documents",
  record: {
    kind: "document",
    // A signer's form names its submission; the submission's own events are of it.
    ids: ["data.submission.id", "data.submission_id"],
    id: "data.id",
    types: ["form.*", "submission.*"],
    title: "data.template.name",
    states: {
      "submission.created": "sent",
      "form.viewed": "viewed",
      "form.completed": "signed",
      "submission.completed": "completed",
      "form.declined": "declined",
      "submission.expired": "expired",
      "submission.archived": "cancelled",
    },
  },
  secretHint: "Settings > Webhooks > Add secret: the value. Its key is the header's name.",
  retries: "Retries for up to 2 days, at growing intervals.",
  retryHours: 48,
  docsUrl: "https://www.docuseal.com/docs/webhooks",
  unchecked: ["when it tries again"],
};
