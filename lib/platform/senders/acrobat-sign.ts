import { type Template, token } from "../schemes/senders/template.ts";

export const acrobatSign: Template = {
  title: "Adobe Acrobat Sign",
  scheme: token("x-adobesign-clientid"),
  challenges: [
    {
      asked: "get",
      take: "header:x-adobesign-clientid",
      answer: { headers: { "x-adobesign-clientid": "{value}" }, json: { xAdobeSignClientId: "{value}" } },
    },
  ],
  answer: { take: "header:x-adobesign-clientid", headers: { "x-adobesign-clientid": "{value}" } },
  reading: { id: ["webhookNotificationId"], type: ["event"], created: ["eventDate"] },
  records: "documents",
  record: {
    kind: "document",
    id: "agreement.id",
    types: ["AGREEMENT_*"],
    title: "agreement.name",
    states: {
      AGREEMENT_CREATED: "draft",
      AGREEMENT_ACTION_REQUESTED: "sent",
      AGREEMENT_EMAIL_VIEWED: "viewed",
      AGREEMENT_ACTION_COMPLETED: "signed",
      AGREEMENT_WORKFLOW_COMPLETED: "completed",
      AGREEMENT_REJECTED: "declined",
      AGREEMENT_RECALLED: "cancelled",
      AGREEMENT_EXPIRED: "expired",
      AGREEMENT_AUTO_CANCELLED_CONVERSION_PROBLEM: "error",
      AGREEMENT_DOCUMENTS_DELETED: "deleted",
    },
    facts: { sentBy: "agreement.senderInfo.email", organizationId: "agreement.groupId" },
  },
  issuesSecret: true,
  secretHint: "The client ID of the application that made the webhook (Account > Acrobat Sign API > API Applications).",
  retries: "Retries for 72 hours, at growing intervals, then disables the webhook.",
  retryHours: 72,
  answerWithin: 5,
  docsUrl: "https://helpx.adobe.com/sign/web/developers/webhooks/overview.html",
  unchecked: ["how long it waits for an answer and tries again"],
};
