import { hmac, type Template } from "../schemes/senders/template.ts";

export const pandadoc: Template = {
  title: "PandaDoc",
  scheme: hmac({ query: "signature" }, { idIsSigned: true }),
  reading: {
    items: "$",
    id: [
      "{event}.{data.id}.{data.status}.{data.action_by.id}.{data.action_date}",
      "{event}.{data.id}.{data.status}.{data.date_modified}",
      "{event}.{data.id}.{data.date_modified}",
    ],
    type: ["event"],
    created: ["data.action_date", "data.date_modified"],
    about: ["{data.name} from {data.created_by.email}", "{data.name}"],
  },
  records: "documents",
  record: {
    kind: "document",
    id: "data.id",
    types: ["document_*", "recipient_completed", "quote_updated"],
    title: "data.name",
    state: "data.status",
    states: {
      "document.draft": "draft",
      "document.sent": "sent",
      "document.viewed": "viewed",
      recipient_completed: "signed",
      "document.completed": "completed",
      "document.declined": "declined",
      "document.cancelled": "cancelled",
      "document.voided": "cancelled",
      "document.expired": "expired",
      document_creation_failed: "error",
      document_deleted: "deleted",
    },
    facts: { sentBy: "data.created_by.email", expires: "data.expiration_date" },
  },
  alsoSends: ["x-pandadoc-webhook-event-id"],
  issuesSecret: true,
  secretHint: "Developer Dashboard > Webhooks > your subscription > Shared key.",
  retries: "Retries requests that fail; the same delivery keeps its ID.",
  docsUrl: "https://developers.pandadoc.com/docs/webhook-verification",
  facts: [
    "https://developers.pandadoc.com/docs/webhook-verification",
    "https://developers.pandadoc.com/reference/handledocumentstatechanged",
  ],
  unchecked: ["when it tries again"],
};
