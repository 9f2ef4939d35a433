import { hmac, type Template } from "../schemes/senders/template.ts";

export const docusign: Template = {
  title: "DocuSign Connect",
  // One header a key: whichever place ours has.
  scheme: hmac({ header: "x-docusign-signature-{n}", encoding: "base64" }, { idIsSigned: true }),
  reading: {
    // `retryCount` in the body is another at each try, so the body's digest would be another event's.
    id: ["{event}.{data.envelopeId}.{data.recipientId}.{generatedDateTime}", "{event}.{data.envelopeId}.{generatedDateTime}"],
    type: ["event"],
    created: ["generatedDateTime"],
    about: [
      "{data.envelopeSummary.emailSubject} from {data.envelopeSummary.sender.email}",
      "{data.envelopeSummary.emailSubject}",
      "{data.envelopeId}",
    ],
  },
  records: "documents",
  record: {
    kind: "document",
    id: "data.envelopeId",
    types: ["envelope-*", "recipient-*"],
    title: "data.envelopeSummary.emailSubject",
    states: {
      "envelope-created": "draft",
      "envelope-sent": "sent",
      "envelope-delivered": "viewed",
      "recipient-completed": "signed",
      "envelope-completed": "completed",
      "envelope-declined": "declined",
      "envelope-voided": "cancelled",
      "envelope-deleted": "deleted",
    },
    facts: {
      organizationId: "data.accountId",
      sentBy: "data.envelopeSummary.sender.email",
      errorMessage: "data.envelopeSummary.voidedReason",
    },
  },
  issuesSecret: true,
  secretHint: "Settings > Connect > Connect Keys > Add Secret Key. Tick Include HMAC Signature in the configuration.",
  retries: "Retries for up to 15 days, at growing intervals.",
  retryHours: 360,
  answerWithin: 100,
  docsUrl: "https://developers.docusign.com/platform/webhooks/connect/validate",
  facts: [
    "https://github.com/docusign/code-examples-node (validateWebhookMessage)",
    "https://developers.docusign.com/platform/webhooks/connect/hmac",
  ],
  unchecked: ["messages in XML, which are kept and not read", "how long it waits for an answer and tries again"],
};
