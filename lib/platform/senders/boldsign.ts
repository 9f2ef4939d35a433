import { hmac, type Template } from "../schemes/senders/template.ts";

export const boldsign: Template = {
  title: "BoldSign",
  scheme: hmac(
    {
      header: "x-boldsign-signature",
      format: "pairs",
      part: "s{n}",
      timestampPart: "t",
      content: "{timestamp}.{body}",
      toleranceSeconds: 300,
    },
    { idIsSigned: true },
  ),
  // Its secret is shown after a first request was answered.
  challenges: [
    { asked: "post", when: [{ place: "header:x-boldsign-event", equals: "Verification" }], learning: {}, answer: { status: 200 } },
  ],
  reading: { id: ["event.id"], type: ["event.eventType", "header:x-boldsign-event"], created: ["event.created"] },
  records: "documents",
  record: {
    kind: "document",
    id: "data.documentId",
    title: "data.messageTitle",
    states: {
      Draft: "draft",
      DraftCreated: "draft",
      Sent: "sent",
      Viewed: "viewed",
      Signed: "signed",
      Completed: "completed",
      Declined: "declined",
      Revoked: "cancelled",
      Expired: "expired",
      SendFailed: "error",
      Deleted: "deleted",
    },
    facts: { sentBy: "data.senderDetail.emailAddress" },
  },
  alsoSends: ["x-boldsign-event"],
  issuesSecret: true,
  secretHint: "API > Webhooks > your webhook > Signing secret, shown once its URL is verified.",
  retries: "Retries with growing intervals, then disables the webhook.",
  answerWithin: 10,
  docsUrl: "https://developers.boldsign.com/webhooks/introduction/",
  unchecked: ["how long it waits for an answer and tries again"],
};
