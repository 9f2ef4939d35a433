import { hmac, type Template } from "../schemes/senders/template.ts";

export const signwell: Template = {
  title: "SignWell",
  scheme: hmac({ field: "event.hash", timestampField: "event.time", content: "{body:event.type}@{timestamp}" }, { idIsSigned: false }),
  reading: {
    // The hash is of the type and the time alone.
    id: ["{event.hash}.{data.object.id}", "event.hash"],
    type: ["event.type"],
    created: ["event.time"],
  },
  records: "documents",
  record: {
    kind: "document",
    id: "data.object.id",
    types: ["document_*"],
    title: "data.object.name",
    states: {
      document_created: "draft",
      document_sent: "sent",
      document_viewed: "viewed",
      document_signed: "signed",
      document_completed: "completed",
      document_declined: "declined",
      document_canceled: "cancelled",
      document_expired: "expired",
      document_error: "error",
    },
    facts: { sentBy: "data.object.requester_email_address" },
  },
  issuesSecret: true,
  secretHint: "The ID of the webhook, as its API answers when it is made.",
  docsUrl: "https://developers.signwell.com/reference/event-hash-verification",
};
