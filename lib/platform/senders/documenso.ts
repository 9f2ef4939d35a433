import { type Template, token } from "../schemes/senders/template.ts";

export const documenso: Template = {
  title: "Documenso",
  scheme: token("x-documenso-secret"),
  // `createdAt` is another at each try; earlier versions send no `deliveryId`.
  reading: { id: ["deliveryId", "{event}.{payload.id}.{createdAt}"], type: ["event"], created: ["createdAt"] },
  records: "documents",
  record: {
    kind: "document",
    id: "payload.id",
    types: ["DOCUMENT_*"],
    title: "payload.title",
    states: {
      DOCUMENT_CREATED: "draft",
      DOCUMENT_SENT: "sent",
      DOCUMENT_OPENED: "viewed",
      DOCUMENT_SIGNED: "signed",
      DOCUMENT_RECIPIENT_COMPLETED: "signed",
      DOCUMENT_COMPLETED: "completed",
      DOCUMENT_REJECTED: "declined",
      DOCUMENT_CANCELLED: "cancelled",
    },
    facts: { organizationId: "payload.teamId", externalId: "payload.externalId" },
  },
  secretHint: "Settings > Webhooks > your webhook > Secret.",
  retries: "Retries a failed request a few times, then by hand (Resend).",
  answerWithin: 10,
  docsUrl: "https://docs.documenso.com/developers/webhooks",
  proof: "source",
  facts: ["https://github.com/documenso/documenso (packages/lib/jobs/definitions/internal/execute-webhook.handler.ts)"],
  unchecked: ["how long it waits for an answer and tries again"],
};
